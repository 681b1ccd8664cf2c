import { CorruptObject } from '../errors.ts'
import type { Oid } from '../objects/oid.ts'

const NEWLINE = 0x0a
const SPACE = 0x20
/** Headers that vouch for the bytes of an object, which are others now (gitformat-signature), or for those of a parent. */
const SIGNATURES = new Set(['gpgsig', 'gpgsig-sha256', 'mergetag'])
/** What begins the signature at the end of a tag (gitformat-signature). */
const TAG_SIGNATURE = /^-----BEGIN (?:PGP SIGNATURE|PGP MESSAGE|SSH SIGNATURE|SIGNED MESSAGE)-----$/m

/** The commit that stands in place of one, 40-hex; nothing where that stays. */
export type NewOid = (oid: string) => string | undefined

/**
 * The bytes of a commit with another tree and other parents. People, dates, message and headers of unknown meaning stay
 * byte by byte; signatures go. Parents that became one are named once. Throws `CorruptObject`.
 */
export function rewriteCommit(content: Buffer, tree: Oid, newParent: NewOid): Buffer {
  const { lines, rest } = headersOf(content)
  const parents = new Set<string>()
  const kept = lines.flatMap(({ key, value, bytes }) => {
    if (SIGNATURES.has(key)) return []
    if (key === 'tree') return [header(key, tree.toString('hex'))]
    if (key !== 'parent') return [bytes]
    const parent = newParent(value) ?? value
    if (parents.has(parent)) return []
    parents.add(parent)
    return [header(key, parent)]
  })
  return Buffer.concat([...kept, rest])
}

/** The bytes of an annotated tag that names another object, without its signature. Throws `CorruptObject`. */
export function rewriteTag(content: Buffer, object: Oid): Buffer {
  const { lines, rest } = headersOf(content)
  const kept = lines.flatMap(({ key, bytes }) => {
    if (SIGNATURES.has(key)) return []
    return [key === 'object' ? header(key, object.toString('hex')) : bytes]
  })
  // Latin-1 keeps every byte.
  const end = TAG_SIGNATURE.exec(rest.toString('latin1'))?.index ?? rest.length
  return Buffer.concat([...kept, rest.subarray(0, end)])
}

interface HeaderLine {
  key: string
  value: string
  /** With the lines that continue it, and its end. */
  bytes: Buffer
}

const header = (key: string, value: string): Buffer => Buffer.from(`${key} ${value}\n`, 'latin1')

/** The header lines of an object, and what follows them from the empty line on. */
function headersOf(content: Buffer): { lines: HeaderLine[]; rest: Buffer } {
  const lines: HeaderLine[] = []
  let at = 0
  while (at < content.length && content[at] !== NEWLINE) {
    const end = endOf(content, at)
    const space = content.indexOf(SPACE, at)
    if (space < 0) throw new CorruptObject('an object with a malformed header')
    const firstEnd = content.indexOf(NEWLINE, at)
    lines.push({
      key: content.toString('latin1', at, space),
      value: content.toString('latin1', space + 1, firstEnd < 0 ? content.length : firstEnd),
      bytes: content.subarray(at, end),
    })
    at = end
  }
  return { lines, rest: content.subarray(at) }
}

/** Where a header ends: lines that start with a space continue it. */
function endOf(content: Buffer, start: number): number {
  for (let at = start; ;) {
    const newline = content.indexOf(NEWLINE, at)
    if (newline < 0) return content.length
    if (content[newline + 1] !== SPACE) return newline + 1
    at = newline + 1
  }
}
