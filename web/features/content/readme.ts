import type { TreeEntry } from '../../lib/types.ts'

/** The document of a folder: its README, in Markdown before plain text. */
export function readmeOf(entries: TreeEntry[]): TreeEntry | undefined {
  const files = entries.filter((entry) => entry.kind === 'file')
  const named = (name: string) => files.find((entry) => entry.name.toLowerCase() === name)
  return named('readme.md') ?? named('readme')
}
