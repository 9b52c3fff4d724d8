// A classic script in <head>: sets the theme before the first paint, so that no page ever flashes in the wrong colours.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem("backlight-theme");
  } catch {
    // storage may be forbidden
  }
  const dark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
})();
