/** Paths that hold the letters of `word` in order: whole-word hits first, then hits near the end, then short paths. */
export function matchPaths(paths: string[], word: string): string[] {
  const wanted = word.toLowerCase().replace(/\s+/g, '')
  if (wanted === '') return paths
  return paths
    .map((path) => ({ path, score: scoreOf(path.toLowerCase(), wanted) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.path.length - b.path.length)
    .map(({ path }) => path)
}

function scoreOf(path: string, wanted: string): number {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (name.startsWith(wanted)) return 4
  if (name.includes(wanted)) return 3
  if (path.includes(wanted)) return 2
  let at = -1
  for (const letter of wanted) {
    at = path.indexOf(letter, at + 1)
    if (at < 0) return 0
  }
  return 1
}
