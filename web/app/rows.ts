/**
 * Moves the focus by as many rows of the page's lists. Each row has one link marked `data-row`, which Enter then opens; from
 * elsewhere on the page the first row is next.
 */
export function goBy(step: 1 | -1): void {
  const { activeElement } = document
  const links = [...document.querySelectorAll<HTMLElement>('#main [data-row]')]
  const rows = links.filter((link) => link.checkVisibility())
  const within = activeElement?.closest('li, article, [role=row]')
  const at = rows.findIndex((link) => link === activeElement || within?.contains(link))
  const next = at < 0 ? rows[0] : rows[at + step]
  next?.focus()
}
