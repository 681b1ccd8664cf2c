/** The rows of a tree that can be reached, in their order. */
const rowsOf = (tree: Element) => [...tree.querySelectorAll<HTMLElement>('[role=treeitem]')]

const levelOf = (row: Element) => Number(row.getAttribute('aria-level'))

/** Lets Tab reach one row of the tree: the one named, else the first. */
export function settle(tree: Element, name: string): void {
  const rows = rowsOf(tree)
  const stop = rows.find((row) => row.dataset['path'] === name) ?? rows[0]
  for (const row of rows) row.tabIndex = row === stop ? 0 : -1
}

/** The row that a key leads to from another one (ARIA Authoring Practices, tree view); the same one is pressed. */
export function rowFor(tree: Element, from: HTMLElement, key: string): HTMLElement | undefined {
  const rows = rowsOf(tree)
  const at = rows.indexOf(from)
  const isOpen = from.getAttribute('aria-expanded')
  switch (key) {
    case 'ArrowDown':
      return rows[at + 1]
    case 'ArrowUp':
      return rows[at - 1]
    case 'Home':
      return rows[0]
    case 'End':
      return rows.at(-1)
    case 'ArrowRight':
      return isOpen === 'true' ? rows[at + 1] : isOpen === 'false' ? from : undefined
    case 'ArrowLeft':
      return isOpen === 'true' ? from : rows.slice(0, at).findLast((row) => levelOf(row) < levelOf(from))
    case ' ':
      return from
    default:
      return undefined
  }
}
