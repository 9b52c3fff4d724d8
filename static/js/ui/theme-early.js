// A classic script in <head>: sets the theme before the first paint, so that no page ever flashes in the wrong colours.
(function () {
  var chosen = null;
  try { chosen = localStorage.getItem("backlight-theme"); } catch (e) { /* storage may be forbidden */ }
  var dark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
})();
