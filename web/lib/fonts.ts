/** Notes once the fonts of the pages have come, which the next page then begins with (`scheme-2.js`). */
export function noteFonts(): void {
  void document.fonts.load("1em 'Inter Variable'").then(() => {
    try {
      localStorage.setItem('arsenal-fonts', '')
    } catch {
      // Without storage each page begins with the fonts of the system.
    }
  })
}
