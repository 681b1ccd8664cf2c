import { createHash } from 'node:crypto'

/** A git object id inside this room: 20 bytes. At every edge it is 40 lower-case hex digits. */
export type Oid = Buffer

/** What a git object can be. */
export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag'

/** Whether a word names a type. */
export function isObjectType(word: string | undefined): word is ObjectType {
  return word === 'commit' || word === 'tree' || word === 'blob' || word === 'tag'
}

export const OID_BYTES = 20

/** True for exactly 40 lower-case hex digits. */
export function isHexOid(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text)
}

/** The 20 bytes of a 40-hex oid; throws on anything else, so callers check what users send first. */
export function oidFromHex(hex: string): Oid {
  if (!isHexOid(hex)) throw new TypeError(`not an object id: ${hex}`)
  return Buffer.from(hex, 'hex')
}

/** The prefix git hashes before an object's content (gitformat: `<type> <size>\0`). */
export function objectHeader(type: ObjectType, sizeBytes: number): Buffer {
  return Buffer.from(`${type} ${sizeBytes}\0`, 'latin1')
}

/** The oid git gives an object of this type and content. */
export function hashObject(type: ObjectType, content: Uint8Array): Oid {
  return createHash('sha1').update(objectHeader(type, content.byteLength)).update(content).digest()
}

/** Oid of the tree without entries. */
export const EMPTY_TREE: Oid = Buffer.from('4b825dc642cb6eb9a060e54bf8d69288fbee4904', 'hex')
