import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { apiBase } from '../../../shared/client.ts'
import { reservedNamespaces } from '../../../shared/vocabulary.ts'

/** The files below `/assets` that pages of a kind show first, as the build found them. */
type FirstFiles = Record<string, string[] | undefined>

const reserved = new Set<string>(reservedNamespaces)

/** The kind of the page at an address, where the build knows its files. */
function kindOf(path: string): string | undefined {
  if (path === '/models' || path === '/datasets') return path.slice(1)
  const [, ns = '', name, rest] = path.replace(/^\/datasets\//, '/').split('/')
  return name && rest === undefined && !reserved.has(ns.toLowerCase()) ? 'card' : undefined
}

// After the shell, without which nothing shows: it takes a slow line for itself, which rests while it runs.
const linkTo = (file: string) =>
  file.endsWith('.css')
    ? `<link rel="preload" as="style" fetchpriority="low" href="${file}" />`
    : `<link rel="modulepreload" fetchpriority="low" href="${file}" />`

// Every page asks first who is signed in.
const asksFirst = `<link rel="preload" as="fetch" crossorigin href="${apiBase}/me" />`

/**
 * Answers what stands in the head of the page at an address: what it will ask for once its script runs, so that a slow line
 * brings it meanwhile.
 */
export async function firstFiles(root: string): Promise<(path: string) => string> {
  const text = await readFile(join(root, 'first-files.json'), 'utf8').catch(() => '{}')
  const byKind = JSON.parse(text) as FirstFiles
  return (path) => [asksFirst, ...(byKind[kindOf(path) ?? ''] ?? []).map(linkTo)].join('\n')
}
