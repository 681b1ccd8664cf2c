/** `#L10-L20` → `[10, 20]`; `[0, 0]` when nothing is selected. */
export function selectedLines(hash: string): [from: number, to: number] {
  const match = /^#L(\d+)(?:-L(\d+))?$/.exec(hash)
  if (!match) return [0, 0]
  const from = Number(match[1])
  return [from, Number(match[2] ?? from)]
}

/** The hash that names lines. */
export const hashOf = (from: number, to: number) => `#L${from}${to > from ? `-L${to}` : ''}`
