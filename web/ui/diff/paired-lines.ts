interface Line {
  kind: 'context' | 'add' | 'delete'
}

/** A row of two columns: the line before and the line after. */
export interface Pair<T> {
  left?: T
  right?: T
}

/** Lines side by side: removed ones beside the added ones that follow, all others beside themselves. */
export function pairedLines<T extends Line>(lines: T[]): Pair<T>[] {
  const rows: Pair<T>[] = []
  for (let i = 0; i < lines.length;) {
    const line = lines[i]
    if (line?.kind === 'context') {
      rows.push({ left: line, right: line })
      i++
      continue
    }
    let adds = i
    while (lines[adds]?.kind === 'delete') adds++
    let end = adds
    while (lines[end]?.kind === 'add') end++
    for (let k = 0; k < Math.max(adds - i, end - adds); k++) {
      const left = i + k < adds ? lines[i + k] : undefined
      const right = adds + k < end ? lines[adds + k] : undefined
      rows.push({ ...(left && { left }), ...(right && { right }) })
    }
    i = end
  }
  return rows
}
