/** Notes once the fonts of the pages have come, which the next page then begins with (`scheme-2.js`). */
export function noteFonts(): void {
  document.fonts
    .load("1em 'Inter Variable'")
    .then(() => localStorage.setItem('arsenal-fonts', ''))
    .catch(() => {
      // Without them, or without storage, the next page begins with the fonts of the system again.
    })
}
