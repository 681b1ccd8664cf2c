import { StringDecoder } from 'node:string_decoder'
import { CorruptObject } from '../errors.ts'
import { isHexOid, oidFromHex, type Oid, type ObjectType } from './oid.ts'

/** Longer messages are read so far: lists hold a thousand of them. A title and a body of the API fit. */
export const MAX_MESSAGE_BYTES = 68 * 1024
/** Longer lines of a header are read so far; bytes. */
const MAX_HEADER_LINE_BYTES = 4096
// What RFC 3339 and the hub's clients can write: the years 1 to 9999. Seconds.
const FIRST_SECOND = -62_135_596_800
const LAST_SECOND = 253_402_300_799

/** Who did something and when, as commits and tags record it. `at` has whole seconds. */
export interface Person {
  name: string
  email: string
  at: Date
  /** Minutes east of UTC. */
  tzMinutes: number
}

export interface Commit {
  tree: Oid
  parents: Oid[]
  author: Person
  committer: Person
  message: string
}

/** An annotated tag. `tagger` is absent in tags of git before 0.99. */
export interface Tag {
  object: Oid
  type: ObjectType
  name: string
  tagger?: Person
  message: string
}

/**
 * Lines joined by single blanks. Not by one expression: `\s*\n\s*` takes the square of a run of blanks, an hour for a
 * megabyte.
 */
export function oneLine(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')
}

/** First line of a message and the rest without the blank lines between, as `git log --format=%s` and `%b` cut it. */
export function splitMessage(message: string): { subject: string; body: string } {
  const text = message.replace(/^\n+/, '')
  const end = /\n[ \t]*\n/.exec(text)
  const head = end ? text.slice(0, end.index) : text
  return {
    subject: oneLine(head),
    body: end
      ? text
          .slice(end.index + end[0].length)
          .replace(/^\n+/, '')
          .trimEnd()
      : '',
  }
}

/** Object bytes of a commit. Names and emails lose what git's fsck forbids (`<`, `>`, controls). */
export function serializeCommit(commit: Commit): Buffer {
  const lines = [
    `tree ${commit.tree.toString('hex')}`,
    ...commit.parents.map((parent) => `parent ${parent.toString('hex')}`),
    `author ${formatPerson(commit.author)}`,
    `committer ${formatPerson(commit.committer)}`,
  ]
  return Buffer.from(`${lines.join('\n')}\n\n${formatMessage(commit.message)}`, 'utf8')
}

/** Object bytes of an annotated tag; `name` is the short name (`v1.0`). */
export function serializeTag(tag: Tag): Buffer {
  const lines = [`object ${tag.object.toString('hex')}`, `type ${tag.type}`, `tag ${tag.name}`]
  if (tag.tagger) lines.push(`tagger ${formatPerson(tag.tagger)}`)
  return Buffer.from(`${lines.join('\n')}\n\n${formatMessage(tag.message)}`, 'utf8')
}

/**
 * Reads a commit of any author; unknown headers (`gpgsig`, `mergetag`, …) are skipped, long messages cut at
 * `MAX_MESSAGE_BYTES`. Throws `CorruptObject`.
 */
export function parseCommit(content: Buffer): Commit {
  const { headers, message } = splitObject(content)
  const parents = headers.filter(([key]) => key === 'parent').map(([, value]) => headerOid(value))
  return {
    tree: headerOid(required(headers, 'tree')),
    parents,
    author: parsePerson(required(headers, 'author')),
    committer: parsePerson(required(headers, 'committer')),
    message,
  }
}

/** Reads an annotated tag. Throws `CorruptObject`. */
export function parseTag(content: Buffer): Tag {
  const { headers, message } = splitObject(content)
  const type = required(headers, 'type')
  if (type !== 'commit' && type !== 'tree' && type !== 'blob' && type !== 'tag') {
    throw new CorruptObject(`tag of unknown type ${type}`)
  }
  const tagger = headers.find(([key]) => key === 'tagger')?.[1]
  return {
    object: headerOid(required(headers, 'object')),
    type,
    name: required(headers, 'tag'),
    ...(tagger === undefined ? {} : { tagger: parsePerson(tagger) }),
    message,
  }
}

function splitObject(content: Buffer): { headers: [string, string][]; message: string } {
  const end = content.indexOf('\n\n')
  const lines = headerLines(end < 0 ? content : content.subarray(0, end))
  const named = lines
    .find((line) => line.toString('latin1', 0, 'encoding '.length) === 'encoding ')
    ?.toString('latin1', 'encoding '.length)
  const encoding = /^iso-?8859-1$/i.test(named ?? '') ? 'latin1' : 'utf8'
  const headers = lines.map((bytes): [string, string] => {
    const line = bytes.toString(encoding)
    const space = line.indexOf(' ')
    return space < 0 ? [line, ''] : [line.slice(0, space), line.slice(space + 1)]
  })
  return { headers, message: end < 0 ? '' : messageOf(content.subarray(end + 2), encoding) }
}

/** A line that starts with a space continues the header before it, which is not read. */
function headerLines(head: Buffer): Buffer[] {
  const lines: Buffer[] = []
  for (let at = 0; at < head.length;) {
    const found = head.indexOf('\n', at)
    const end = found < 0 ? head.length : found
    if (end > at && head[at] !== 0x20)
      lines.push(head.subarray(at, Math.min(end, at + MAX_HEADER_LINE_BYTES)))
    at = end + 1
  }
  return lines
}

/** Cut between characters. */
function messageOf(bytes: Buffer, encoding: 'latin1' | 'utf8'): string {
  if (bytes.length <= MAX_MESSAGE_BYTES) return bytes.toString(encoding)
  return new StringDecoder(encoding).write(bytes.subarray(0, MAX_MESSAGE_BYTES))
}

function required(headers: [string, string][], key: string): string {
  const found = headers.find(([name]) => name === key)
  if (!found) throw new CorruptObject(`object without ${key}`)
  return found[1]
}

function headerOid(value: string): Oid {
  if (!isHexOid(value)) throw new CorruptObject('object with a malformed oid in its header')
  return oidFromHex(value)
}

function formatPerson({ name, email, at, tzMinutes }: Person): string {
  const clean = (text: string) => text.replace(/[<>\p{Cc}]/gu, '').trim()
  const seconds = Math.max(0, Math.floor(at.getTime() / 1000))
  const minutes = Math.abs(tzMinutes)
  const zone = `${tzMinutes < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}${pad(minutes % 60)}`
  // fsck refuses an empty name (missingNameBeforeEmail).
  return `${clean(name) || 'unknown'} <${clean(email).replace(/\s/g, '')}> ${seconds} ${zone}`
}

function pad(n: number): string {
  return String(n).padStart(2, '0')
}

function parsePerson(value: string): Person {
  // The second form: without an e-mail, as mirrors may have it.
  const match =
    /^(.*?) ?<([^>]*)>\s*(-?\d+)?\s*([+-]\d{4})?/.exec(value) ?? /^(.*?)() (\d+) ([+-]\d{4})$/.exec(value)
  const zone = match?.[4] ?? '+0000'
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3, 5))
  const seconds = Number(match?.[3] ?? 0)
  return {
    name: match?.[1] ?? value,
    email: match?.[2] ?? '',
    at: timeOfSecond(seconds),
    tzMinutes: zone.startsWith('-') ? -minutes : minutes,
  }
}

/** Times that RFC 3339 cannot write exist in broken histories; they read as the epoch. */
export const timeOfSecond = (second: number): Date =>
  new Date(second >= FIRST_SECOND && second <= LAST_SECOND ? second * 1000 : 0)

function formatMessage(message: string): string {
  const text = message.replaceAll('\0', '').replace(/\r\n/g, '\n')
  return text.endsWith('\n') || text === '' ? text : `${text}\n`
}
