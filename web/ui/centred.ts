/**
 * The `ref` of the current link in a row that scrolls sideways where the window is narrow: the row begins with it in its
 * middle. The row is its parent, and positioned.
 */
export function centred(link: HTMLElement | null): void {
  const row = link?.parentElement
  // Not scrollIntoView, which scrolls the page as well.
  if (row) row.scrollLeft = link.offsetLeft - (row.clientWidth - link.offsetWidth) / 2
}
