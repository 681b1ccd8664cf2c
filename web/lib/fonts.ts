/** The part of a router that says where the page is. */
interface Located {
  state: { location: { pathname: string } }
  subscribe(hear: (state: Located['state']) => void): () => void
}

/** From now on the page has its own fonts, once they are there; until then those of the system (`base.css`). */
export const showFonts = () => (document.documentElement.dataset['fonts'] = '')

/**
 * Fetches the fonts, and notes when they have come, so that the next page begins with them (`scheme-4.js`). One that began
 * with those of the system keeps them as long as it is read: its lines would break elsewhere.
 */
export function fetchFonts(router: Located): void {
  const { pathname } = router.state.location
  const stop = router.subscribe(({ location }) => {
    if (location.pathname === pathname) return
    stop()
    showFonts()
  })
  document.fonts
    .load("1em 'Inter Variable'")
    .then(() => localStorage.setItem('arsenal-fonts', ''))
    .catch(() => {
      // Without them, or without storage, the next page begins with the fonts of the system again.
    })
}
