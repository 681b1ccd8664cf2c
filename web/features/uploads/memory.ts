import type { RepoAddress } from '../../lib/types.ts'

/** What is kept of an unfinished upload, so that the same file dropped again resumes where it stopped. */
export interface Remembered {
  path: string
  size: number
  lastModified: number
  sha256: string
  uploadId: string
}

const keyOf = ({ type, ns, name }: RepoAddress) => `arsenal-uploads:${type}/${ns}/${name}`
const isSame = (entry: Remembered, path: string, file: File) =>
  entry.path === path && entry.size === file.size && entry.lastModified === file.lastModified

/** The unfinished uploads of a repo, from this browser. */
export function remembered(address: RepoAddress): Remembered[] {
  const text = localStorage.getItem(keyOf(address))
  return text ? (JSON.parse(text) as Remembered[]) : []
}

export function recall(address: RepoAddress, path: string, file: File): Remembered | undefined {
  return remembered(address).find((entry) => isSame(entry, path, file))
}

export function remember(address: RepoAddress, entry: Remembered): void {
  const others = remembered(address).filter(({ path }) => path !== entry.path)
  localStorage.setItem(keyOf(address), JSON.stringify([...others, entry]))
}

/** Forgets some paths; all of them when none are named. */
export function forget(address: RepoAddress, paths?: string[]): void {
  const left = paths ? remembered(address).filter((entry) => !paths.includes(entry.path)) : []
  if (left.length === 0) localStorage.removeItem(keyOf(address))
  else localStorage.setItem(keyOf(address), JSON.stringify(left))
}
