import { isUtf8 } from 'node:buffer'
import { looksLikeDotGit } from './disguises.ts'
import { OID_BYTES } from '../objects/oid.ts'
import type { PackedObject } from '../packs/pack.ts'
import { compareNames, MODE, Tree } from '../objects/tree.ts'

/*
 * What git's strict check (fsck.c) surely has nothing against. Each rule is git's own or a stricter one: what fails here
 * may still be fine, and git is asked.
 */

// fsck_ident: a name, an address, seconds without zeros before them, a zone.
const PERSON = String.raw`[^<>\n\0]+ <[^<>\n\0]*> (?:0|[1-9]\d{0,9}) [+-]\d{4}`
// fsck_commit; further headers are not looked at.
const COMMIT = new RegExp(
  String.raw`^tree [0-9a-f]{40}\n(?:parent [0-9a-f]{40}\n)*author ${PERSON}\ncommitter ${PERSON}\n(?:[^\n\0]+\n)*\n`,
)
const MODES = new Set<number>(Object.values(MODE))

/** Whether an object passes without git. Tags never do. */
export function isSound({ type, content }: PackedObject): boolean {
  if (type === 'commit') return !content.includes(0) && COMMIT.test(content.toString('latin1'))
  // The names of a tree say whose contents are judged.
  if (type === 'blob') return true
  return type === 'tree' && isSoundTree(content)
}

// fsck_tree.
function isSoundTree(content: Buffer): boolean {
  if (!isWellFormed(content)) return false
  const tree = Tree.parse(content)
  const names = new Set<string>()
  for (let i = 0; i < tree.length; i++) {
    const { mode, name, oid } = tree.entry(i)
    if (!MODES.has(mode) || !isSoundName(name) || oid.equals(NULL)) return false
    names.add(name)
    if (i > 0 && !isAfter(tree, i)) return false
  }
  return names.size === tree.length
}

const NULL = Buffer.alloc(OID_BYTES)
const HARMLESS = /^[^/\\\0]+$/

const isSoundName = (name: string) =>
  HARMLESS.test(name) && name !== '.' && name !== '..' && !looksLikeDotGit(name)

const isAfter = (tree: Tree, i: number) =>
  compareNames(
    tree.nameBytes(i - 1),
    tree.mode(i - 1) === MODE.tree,
    tree.nameBytes(i),
    tree.mode(i) === MODE.tree,
  ) < 0

/** Entries are whole, modes octal and without zeros before them, names UTF-8. */
function isWellFormed(content: Buffer): boolean {
  for (let at = 0; at < content.length;) {
    const nul = content.indexOf(0, at)
    const space = content.indexOf(0x20, at)
    if (nul < 0 || nul + OID_BYTES >= content.length || space < 0 || space >= nul - 1) return false
    if (!/^[1-7][0-7]{4,5}$/.test(content.toString('latin1', at, space))) return false
    if (!isUtf8(content.subarray(space + 1, nul))) return false
    at = nul + 1 + OID_BYTES
  }
  return true
}
