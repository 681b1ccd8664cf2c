import { CorruptObject } from '../errors.ts'
import { isHexOid, oidFromHex, type Oid, type ObjectType } from './oid.ts'

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

/** First line of a message and the rest without the blank lines between, as `git log --format=%s` and `%b` cut it. */
export function splitMessage(message: string): { subject: string; body: string } {
  const text = message.replace(/^\n+/, '')
  const end = /\n[ \t]*\n/.exec(text)
  const head = end ? text.slice(0, end.index) : text
  return {
    subject: head.replace(/\s*\n\s*/g, ' ').trim(),
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

/** Reads a commit of any author; unknown headers (`gpgsig`, `mergetag`, …) are skipped. Throws `CorruptObject`. */
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
  const head = end < 0 ? content : content.subarray(0, end)
  const encoding = /^encoding (.+)$/m.exec(head.toString('latin1'))?.[1]
  const decode = (bytes: Buffer) =>
    bytes.toString(encoding && /^iso-?8859-1$/i.test(encoding) ? 'latin1' : 'utf8')
  const headers = decode(head)
    .split('\n')
    // A line that starts with a space continues the header before it.
    .filter((line) => line !== '' && !line.startsWith(' '))
    .map((line): [string, string] => {
      const space = line.indexOf(' ')
      return space < 0 ? [line, ''] : [line.slice(0, space), line.slice(space + 1)]
    })
  return { headers, message: end < 0 ? '' : decode(content.subarray(end + 2)) }
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
  const match = /^(.*?) ?<([^>]*)>\s*(-?\d+)?\s*([+-]\d{4})?/.exec(value)
  const zone = match?.[4] ?? '+0000'
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3, 5))
  const seconds = Number(match?.[3] ?? 0)
  return {
    name: match?.[1] ?? value,
    email: match?.[2] ?? '',
    // Dates beyond what JavaScript holds exist in broken histories; they read as the epoch.
    at: new Date(Math.abs(seconds) <= 8.64e12 ? seconds * 1000 : 0),
    tzMinutes: zone.startsWith('-') ? -minutes : minutes,
  }
}

function formatMessage(message: string): string {
  const text = message.replaceAll('\0', '').replace(/\r\n/g, '\n')
  return text.endsWith('\n') || text === '' ? text : `${text}\n`
}
