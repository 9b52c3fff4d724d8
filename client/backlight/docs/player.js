// Plays recorded code blocks where they stand in a page of documentation. Recordings and the viewer are scripts beside the
// page, so that they load from files, too; nothing is asked of anybody else.
(() => {
  const RIGHTS = "allow-scripts allow-downloads";
  const PLACE = '<script type="application/json" id="run-document"';
  /** Scripts by address, each loaded once. */
  const loading = new Map();

  /** What a script has given: it is called after its file. */
  const given = (address) => {
    const url = new URL(address, document.baseURI).href;
    if (!loading.has(url)) {
      loading.set(
        url,
        new Promise((done, failed) => {
          const script = document.createElement("script");
          script.src = url;
          script.onload = () => done(window.backlight?.[url.replace(/^.*\/|\.js$/g, "")]);
          script.onerror = () => failed(new Error(`${url} is not there`));
          document.head.append(script);
        }),
      );
      loading.get(url).catch(() => loading.delete(url));
    }
    return loading.get(url);
  };

  /** Whether an element stands on a dark ground. */
  const isDark = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const [red, green, blue, alpha = 1] = (getComputedStyle(at).backgroundColor.match(/[\d.]+/g) ?? []).map(Number);
      if (alpha > 0.5 && blue !== undefined) return 0.3 * red + 0.59 * green + 0.11 * blue < 128;
    }
    return false;
  };

  class Player extends HTMLElement {
    connectedCallback() {
      if (this.querySelector("iframe")) return;
      if (this.hasAttribute("click") && !this.querySelector("button")) this.offer("Play");
      if (this.hasAttribute("click")) return;
      this.watch = new IntersectionObserver(
        (entries) => {
          if (entries.some(({ isIntersecting }) => isIntersecting)) this.play();
        },
        { rootMargin: "300px" },
      );
      this.watch.observe(this);
    }

    disconnectedCallback() {
      this.watch?.disconnect();
      this.themes?.disconnect();
    }

    /** A button that plays. */
    offer(words) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = words;
      button.addEventListener("click", () => this.play());
      this.prepend(button);
    }

    async play() {
      this.watch?.disconnect();
      this.querySelector("button")?.remove();
      try {
        const [parts, [at, run]] = await Promise.all([
          given(this.getAttribute("viewer")),
          given(this.getAttribute("run")),
        ]);
        this.show(parts, at ? ` data-at="${at}"` : "", run);
      } catch (error) {
        console.error(`Backlight: ${error.message}`);
        if (!this.querySelector("button")) this.offer("Try again");
      }
    }

    show([before, after], at, run) {
      const frame = document.createElement("iframe");
      frame.setAttribute("sandbox", RIGHTS);
      frame.title = "What this code block does, step by step";
      frame.srcdoc = `${before.replace(/<html\b/, "<html data-embed")}${PLACE}${at}>${run}</script>${after}`;
      const still = this.querySelector(".backlight-still");
      const follow = () => {
        frame.style.colorScheme = isDark(this) ? "dark" : "light";
      };
      follow();
      this.themes = new MutationObserver(() => setTimeout(follow, 60));
      for (const element of [document.documentElement, document.body])
        this.themes.observe(element, { attributes: true });
      matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => setTimeout(follow, 60));
      this.append(frame);
      if (still) still.hidden = true;
    }
  }

  if (!customElements.get("backlight-player")) customElements.define("backlight-player", Player);
})();
