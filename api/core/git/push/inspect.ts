import { parsePointer, POINTER_MAX_BYTES, POINTER_MIN_BYTES, type Pointer } from '../../lfs/pointer.ts'
import { fromChunks, type ByteSource } from '../../../stores/storage/index.ts'
import { Turns } from '../../../platform/flow/index.ts'
import { CorruptObject } from '../errors.ts'
import type { Listed } from './brought-objects.ts'
import type { Incoming } from './incoming.ts'
import { linesOf } from '../runner/lines.ts'
import { validatePath } from '../names.ts'
import { isObjectType, type ObjectType } from '../objects/oid.ts'
import type { TreeFault } from '../objects/tree-extent.ts'
import { GitFailed } from '../runner/runner.ts'

/** A file with its size in bytes. */
export interface SizedFile {
  path: string
  sizeBytes: number
}

/** What tips bring that no ref of the repo leads to yet. */
export interface Inspection {
  /** Everything the tips refer to is there. */
  isConnected: boolean
  /** Files above the limit, and how many there are beyond those listed. */
  large: SizedFile[]
  moreLarge: number
  /** A commit or tag that is larger than any made in earnest. */
  largeHistory?: { oid: string; type: ObjectType; sizeBytes: number }
  /** Why a commit holds too much. */
  treeFault?: TreeFault
  /** A path that could not be addressed here, and why. */
  badPath?: { path: string; message: string }
  /** Path → pointer of every LFS pointer among the files; earlier forms of a file have a part of their SHA-256 behind it. */
  pointers: Map<string, Pointer>
  /** Of all objects, inflated. */
  totalBytes: number
}

const MAX_LISTED = 10
/** Of a commit or tag, which lists of history hold in numbers. */
export const MAX_HISTORY_OBJECT_BYTES = 1024 * 1024

/**
 * Looks at every object that the tips lead to and the repo's refs do not: the test git makes itself of what it received
 * (git: connected.c), with sizes, paths and pointers.
 */
export async function inspect(incoming: Incoming, tips: string[], maxBlobBytes: number): Promise<Inspection> {
  const found: Inspection = {
    isConnected: true,
    large: [],
    moreLarge: 0,
    pointers: new Map(),
    totalBytes: 0,
  }
  const small: { oid: string; path: string }[] = []
  const see = async ({ oid, type, sizeBytes, path }: Listed) => {
    found.totalBytes += sizeBytes
    if (type === 'tree' && path === '' && !found.treeFault) await seeRoot(incoming, oid, found)
    const fault = type === 'tree' || type === 'blob' ? faultOf(path) : undefined
    if (fault) found.badPath ??= fault
    if ((type === 'commit' || type === 'tag') && sizeBytes > MAX_HISTORY_OBJECT_BYTES)
      found.largeHistory ??= { oid, type, sizeBytes }
    if (type !== 'blob') return
    if (sizeBytes > maxBlobBytes) {
      if (found.large.length < MAX_LISTED) found.large.push({ path, sizeBytes })
      else found.moreLarge++
    } else if (sizeBytes >= POINTER_MIN_BYTES && sizeBytes < POINTER_MAX_BYTES) small.push({ oid, path })
  }
  const listed = await incoming.list(tips)
  if (listed) for (const object of listed) await see(object)
  else if (!(await walk(incoming, tips, see))) found.isConnected = false
  if (found.isConnected && small.length > 0) await readPointers(incoming, small, found.pointers)
  return found
}

/** Counts what a commit holds, before anything unfolds it. */
async function seeRoot(incoming: Incoming, oid: string, found: Inspection): Promise<void> {
  try {
    const fault = await incoming.treeFault(oid)
    if (fault) found.treeFault = fault
  } catch (error) {
    if (!(error instanceof CorruptObject)) throw error
    found.isConnected = false
  }
}

/** An empty path is the root's, or that of a blob that only a tag names. */
function faultOf(path: string): Inspection['badPath'] {
  const fault = path === '' ? undefined : validatePath(path)
  return fault && { path, message: fault.message }
}

/** `false` when an object is missing. */
async function walk(
  incoming: Incoming,
  tips: string[],
  see: (object: Listed) => Promise<void>,
): Promise<boolean> {
  const stdin = fromChunks(Buffer.from(tips.map((oid) => `${oid}\n`).join('')))
  let isWhole = true
  const names = await incoming.open(['rev-list', '--objects', '--stdin', '--not', '--all'], stdin)
  const untilFailure = async function* (): ByteSource {
    try {
      yield* names
    } catch (error) {
      if (!(error instanceof GitFailed) || error.code <= 0) throw error
      isWhole = false
    }
  }
  const format = '--batch-check=%(objectname) %(objecttype) %(objectsize) %(rest)'
  const listed = await incoming.open(['cat-file', format], untilFailure(), 'fed')
  for await (const line of linesOf(listed)) {
    const [, oid, type, size, path = ''] =
      /^([0-9a-f]{40}) (commit|tree|blob|tag) (\d+) ?(.*)$/s.exec(line) ?? []
    if (oid === undefined || !isObjectType(type)) isWhole = false
    else await see({ oid, type, sizeBytes: Number(size), path })
  }
  return isWhole
}

async function readPointers(
  { objects, signal }: Incoming,
  small: { oid: string; path: string }[],
  pointers: Map<string, Pointer>,
): Promise<void> {
  const turns = new Turns({ signal })
  for (const { oid, path } of small) {
    if (turns.isOver) await turns.next()
    const blob = await objects.read(oid)
    if (!blob) throw new Error(`git has listed the blob ${oid}, which cannot be read`)
    const pointer = parsePointer(blob.content)
    if (pointer) pointers.set(pointers.has(path) ? `${path} (${pointer.sha256.slice(0, 12)})` : path, pointer)
  }
}
