/* The theme, before anything is painted: light, dark, or as the system says. */
(() => {
  const kept = () => {
    try {
      return localStorage.getItem("wellread.theme");
    } catch {
      return null; // storage may be forbidden; then the theme lasts as long as the page
    }
  };
  const theme = kept();
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
})();
