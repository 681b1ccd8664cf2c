/** One thing wrong with the configuration. */
export interface Fault {
  key: string
  /** Where the value came from: a file, an environment variable, a flag, or nowhere. */
  source: string
  /** What is wrong and how to fix it. Never holds a secret. */
  message: string
}

/** The configuration cannot be used; every fault is listed at once. */
export class ConfigError extends Error {
  readonly faults: Fault[]

  constructor(faults: Fault[]) {
    const lines = faults.map(({ key, source, message }) => `  ${key} (${source}): ${message}`)
    super(
      [
        `The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:`,
        ...lines,
      ].join('\n'),
    )
    this.name = 'ConfigError'
    this.faults = faults
  }
}

/** ` (did you mean …?)` when a name is at most three letters away from a known one. */
export function suggestion(name: string, known: string[]): string {
  const near = known
    .map((candidate) => ({ candidate, steps: distance(name, candidate) }))
    .filter(({ steps }) => steps <= 3)
    .sort((a, b) => a.steps - b.steps)[0]
  return near ? ` (did you mean ${near.candidate}?)` : ''
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replace = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next[j] = Math.min(replace, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1)
    }
    row = next
  }
  return row[b.length] ?? 0
}
