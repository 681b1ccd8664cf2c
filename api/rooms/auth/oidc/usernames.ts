import { limits, nameFault, reservedNamespaces } from '../../../../shared/vocabulary.ts'
import { findNamespace } from '../../namespaces/index.ts'
import type { Reader } from '../queries.ts'

const reserved = new Set<string>(reservedNamespaces)
// Leaves room for a number behind it; a name has 96 characters at most.
const longest = 80
const mostTries = 1000

/** What a provider calls somebody as a name that is valid here: `Ada.Löve@example.org` is `ada.l-ve`. */
function validName(claim: string): string {
  const [local = ''] = claim.split('@')
  const name = local
    .toLowerCase()
    .replaceAll(/[^a-z0-9_.-]+/g, '-')
    .replaceAll(/-{2,}/g, '-')
    .replaceAll(/\.{2,}/g, '.')
    .slice(0, longest)
    .replaceAll(/^[^a-z0-9_]+|[^a-z0-9_]+$/g, '')
  const plain = name.replace(/\.(git|ipynb)$/, '')
  return nameFault(plain) === undefined ? plain : 'user'
}

/** The first free of `name`, `name-2`, `name-3`… */
export async function freeName(db: Reader, claim: string): Promise<string> {
  const name = validName(claim)
  for (let n = 1; n <= mostTries; n++) {
    const tried = n === 1 ? name : `${name}-${n}`
    if (!reserved.has(tried) && !(await findNamespace(db, tried))) return tried
  }
  throw new Error(`no username like ${name} is free`)
}

/** Text cut to what a display name may have: one line, 100 bytes of UTF-8, no character halved. */
export function displayNameOf(text: string | undefined): string | undefined {
  const line = text?.replaceAll(/\p{Cc}+/gu, ' ').trim()
  if (!line) return undefined
  let kept = ''
  for (const character of line) {
    if (Buffer.byteLength(kept + character) > limits.displayNameBytes) break
    kept += character
  }
  return kept
}
