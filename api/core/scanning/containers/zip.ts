import { crc32 } from 'node:zlib'
import { EndOfFile, FormatFault, part, type FileBytes } from '../../parsers/index.ts'
import { MAX_DEPTH, type Context } from '../context.ts'
import { Findings } from '../findings.ts'
import { InflatedBytes } from '../inflate/inflated-bytes.ts'
import { hasPickleHead, scanPickles } from '../pickle/scan-pickles.ts'
import { PickleWalk } from '../pickle/walk.ts'
import { zipDirectories, type ZipDirectory, type ZipEntry } from './zip-directory.ts'

const LOCAL = 0x04034b50
/** Encrypted, patched, strongly encrypted: torch ignores these bits, Python refuses them. */
const ODD_FLAGS = 0x1 | 0x20 | 0x40
const BOMB_BYTES = 4 * 1024 ** 3
const BOMB_RATIO = 1000
/** Below it, zeros that numpy has packed well are no bomb. */
const BOMB_LEAST = 64 * 1024 * 1024
const CHECKED_BYTES = 64 * 1024 * 1024
/** A storage of torch holds numbers; one that happens to begin like a pickle does not go on so. */
const TRIED_OPCODES = 64

/** Looks into a zip, by its central directory and every other reading of it (indexing.md §3.2). Answers whether it is one. */
export function scanZip(context: Context, file: FileBytes): boolean {
  const directories = zipDirectories(file)
  for (const directory of directories) new ZipScan(context, file, directory).run()
  if (directories.length > 1)
    context.findings.problem('zip_two_directories', 'The archive has more than one directory.')
  return directories.length > 0
}

class ZipScan {
  readonly #context: Context
  readonly #file: FileBytes
  readonly #directory: ZipDirectory

  constructor(context: Context, file: FileBytes, directory: ZipDirectory) {
    this.#context = context
    this.#file = file
    this.#directory = directory
  }

  run(): void {
    const { findings, depth } = this.#context
    const { entries, prefixBytes, trailingBytes } = this.#directory
    if (depth >= MAX_DEPTH)
      return findings.problem('scan_incomplete', `Archives are nested more than ${MAX_DEPTH} deep.`)
    if (prefixBytes > 0) findings.problem('zip_prefix_data', `${prefixBytes} bytes come before the archive.`)
    if (trailingBytes > 0) findings.problem('zip_trailing_data', `${trailingBytes} bytes follow the archive.`)
    const names = new Set<string>()
    for (const entry of entries) {
      if (names.has(entry.name)) findings.problem('zip_duplicate_name', `${entry.name} is there twice.`)
      names.add(entry.name)
      if (isSlip(entry)) findings.problem('zip_slip', `${entry.name} would be written outside of the folder.`)
      if (!entry.name.endsWith('/') || entry.sizeBytes > 0) this.#member(entry)
    }
    this.#checkOverlap(entries)
  }

  #checkOverlap(entries: ZipEntry[]): void {
    const sorted = [...entries].sort((a, b) => a.at - b.at)
    for (const [i, entry] of sorted.entries()) {
      const next = sorted[i + 1]
      if (next && entry.at + 30 + entry.packedBytes > next.at)
        return this.#context.findings.problem('zip_overlap', `${entry.name} and ${next.name} overlap.`)
    }
  }

  #member(entry: ZipEntry): void {
    const { findings, budget } = this.#context
    const dataAt = this.#dataAt(entry)
    if (dataAt === undefined) return
    if (entry.flags & ODD_FLAGS)
      findings.problem('zip_encrypted_flag', `${entry.name} is marked as encrypted.`)
    const isLarge = entry.sizeBytes > BOMB_LEAST && entry.sizeBytes > BOMB_RATIO * entry.packedBytes
    if (entry.method !== 0 && (entry.sizeBytes > BOMB_BYTES || isLarge)) {
      const ratio = Math.round(entry.sizeBytes / Math.max(1, entry.packedBytes))
      return findings.problem(
        'zip_bomb',
        `${entry.name} unpacks to ${entry.sizeBytes} bytes, ${ratio} times its size.`,
      )
    }
    if (entry.method !== 0 && entry.method !== 8)
      return findings.problem(
        'unscannable_compression',
        `${entry.name} is compressed by method ${entry.method}.`,
      )
    const bytes =
      entry.method === 0
        ? part(this.#file, dataAt, entry.packedBytes)
        : new InflatedBytes(this.#file, dataAt, entry.sizeBytes, budget)
    try {
      this.#look(entry, bytes)
    } catch (error) {
      if (error instanceof EndOfFile || (error instanceof FormatFault && error.code === 'inflate'))
        findings.problem('zip_damaged', `${entry.name} cannot be unpacked: ${error.message}`)
      else throw error
    }
  }

  /** Behind the local header, which must say the same as the directory. */
  #dataAt(entry: ZipEntry): number | undefined {
    const { findings } = this.#context
    const header = Buffer.from(this.#file.read(entry.at, 30))
    if (header.length < 30 || header.readUInt32LE(0) !== LOCAL) {
      findings.problem('zip_local_header_mismatch', `${entry.name} has no header where the directory says.`)
      return undefined
    }
    const nameBytes = header.readUInt16LE(26)
    const name = Buffer.from(this.#file.read(entry.at + 30, nameBytes)).toString('utf8')
    if (name !== entry.name || header.readUInt16LE(8) !== entry.method)
      findings.problem('zip_local_header_mismatch', `${entry.name} is ${name} in its own header.`)
    if (header.readUInt16LE(6) & ODD_FLAGS)
      findings.problem('zip_encrypted_flag', `${entry.name} is marked as encrypted.`)
    return entry.at + 30 + nameBytes + header.readUInt16LE(28)
  }

  #look(entry: ZipEntry, bytes: FileBytes): void {
    const { findings, scanInside } = this.#context
    if (/(^|\/)data\/\d+$/.test(entry.name)) {
      if (isPickleAtLength(bytes)) scanPickles(this.#context, bytes, 'head')
      return
    }
    if (entry.name.endsWith('.py')) findings.problem('archive_code', `${entry.name} is Python code.`, 'info')
    const inside = new Findings()
    scanInside(entry.name, bytes, inside)
    findings.merge(inside, entry.name)
    // torch can save without checksums; 0 stands for that.
    if (inside.isChecked && entry.crc !== 0 && entry.sizeBytes <= CHECKED_BYTES && sumOf(bytes) !== entry.crc)
      findings.problem('zip_crc_mismatch', `${entry.name} does not have the bytes that its sum says.`)
  }
}

function isPickleAtLength(bytes: FileBytes): boolean {
  if (!hasPickleHead(bytes.read(0, 2))) return false
  const options = {
    findings: new Findings(),
    isTrial: true,
    onData: () => undefined,
    onLoaded: () => undefined,
  }
  const { opcodes, isStopped } = new PickleWalk(bytes, 0, options).run(TRIED_OPCODES)
  return opcodes >= TRIED_OPCODES || isStopped
}

function isSlip({ name, isLink }: ZipEntry): boolean {
  return isLink || /(^|[/\\])\.\.([/\\]|$)|^[/\\]|^[A-Za-z]:|\\|\0/.test(name)
}

function sumOf(bytes: FileBytes): number {
  let sum = 0
  for (let at = 0; at < bytes.sizeBytes;) {
    const piece = bytes.read(at, 1024 * 1024)
    if (piece.length === 0) break
    sum = crc32(piece, sum)
    at += piece.length
  }
  return sum
}
