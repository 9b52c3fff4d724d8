// A classic script in <head>: before the first paint it sets the theme, so that no page ever flashes in the wrong
// colours, and says whether the address names something, so that no words for newcomers flash before it.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem("backlight-theme");
  } catch {
    // storage may be forbidden
  }
  const dark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  if (/[:=]/.test(location.hash)) document.documentElement.dataset.begun = "";
})();
