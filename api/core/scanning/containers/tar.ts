import { part, type FileBytes } from '../../parsers/index.ts'
import { MAX_DEPTH, type Context } from '../context.ts'
import { Findings } from '../findings.ts'

const BLOCK = 512
const MAX_MEMBERS = 100_000

/** Whether bytes begin with the header of a tar: its sum is right. */
export function isTar(head: Uint8Array): boolean {
  if (head.length < BLOCK) return false
  const stated = octal(head.subarray(148, 156))
  let sum = 8 * 0x20
  for (let i = 0; i < BLOCK; i++) if (i < 148 || i >= 156) sum += head[i] as number
  return stated === sum && sum > 8 * 0x20
}

/** Looks into the members of a tar. */
export function scanTar(context: Context, file: FileBytes): void {
  const { findings, depth, scanInside } = context
  if (depth >= MAX_DEPTH)
    return findings.problem('scan_incomplete', `Archives are nested more than ${MAX_DEPTH} deep.`)
  let longName: string | undefined
  let at = 0
  for (let i = 0; at + BLOCK <= file.sizeBytes; i++) {
    if (i === MAX_MEMBERS)
      return findings.problem('scan_incomplete', `The archive has more than ${MAX_MEMBERS} members.`)
    const head = file.read(at, BLOCK)
    if (!isTar(head)) {
      if (head.some((byte) => byte !== 0))
        findings.problem('tar_damaged', 'A header of the archive is damaged.')
      return
    }
    const size = octal(head.subarray(124, 136))
    const type = String.fromCharCode(head[156] ?? 0)
    const bytes = part(file, at + BLOCK, size)
    if (!Number.isSafeInteger(size) || at + BLOCK + size > file.sizeBytes)
      findings.problem('tar_damaged', 'A member is longer than the archive.')
    if (type === 'L' || type === 'x') longName = nameFrom(type, bytes)
    else {
      const name = longName ?? plainName(head)
      longName = undefined
      if (isSlip(name) || ((type === '1' || type === '2') && isSlip(text(head.subarray(157, 257)))))
        findings.problem('tar_slip', `${name} would be written outside of the folder.`)
      if (type === '0' || type === '\0' || type === '7') {
        const inside = new Findings()
        scanInside(name, bytes, inside)
        findings.merge(inside, name)
      }
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
}

const text = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('utf8')
    .replace(/\0[^]*$/, '')

function plainName(head: Uint8Array): string {
  const prefix = text(head.subarray(345, 500))
  const name = text(head.subarray(0, 100))
  return prefix === '' || text(head.subarray(257, 262)) !== 'ustar' ? name : `${prefix}/${name}`
}

/** The name that a record before the member gives it, GNU's or that of POSIX. */
function nameFrom(type: string, bytes: FileBytes): string | undefined {
  const content = text(bytes.read(0, 64 * 1024))
  return type === 'L' ? content : /(?:^|\n)\d+ path=([^\n]*)/.exec(content)?.[1]
}

/** A number in octal digits, or, with the high bit set, in bytes. */
function octal(field: Uint8Array): number {
  if ((field[0] ?? 0) & 0x80) return field.subarray(1).reduce((value, byte) => value * 256 + byte, 0)
  const digits = text(field).trim()
  return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : 0
}

const isSlip = (name: string): boolean => /(^|[/\\])\.\.([/\\]|$)|^[/\\]|^[A-Za-z]:[/\\]/.test(name)
