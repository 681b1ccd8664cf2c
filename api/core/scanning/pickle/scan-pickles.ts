import { inMemory, part, type FileBytes } from '../../parsers/index.ts'
import { MAX_DEPTH, type Context } from '../context.ts'
import { Findings } from '../findings.ts'
import { findTail } from './resync.ts'
import { isGlobal, type Value } from './values.ts'
import type { Data } from './reader.ts'
import { PickleWalk, type WalkOptions, type Walked } from './walk.ts'

const MAX_STACKED = 10_000
/** Texts that are unpacked to be looked into. */
const MAX_UNPACKED = 64 * 1024 * 1024
/** The first of the pickles of `torch.save` before 1.6; raw numbers follow the fifth. */
const TORCH_MAGIC = 0x1950a86a20f9469cfc6cn
const TORCH_PICKLES = 5
/** The second pickle of the same. */
const TORCH_VERSION = 1001n
/** Innocuous calls whose result may equal an integer. */
const numberMakers = [
  ['builtins', 'int'],
  ['decimal', 'Decimal'],
  ['numpy._core.multiarray', 'scalar'],
  ['numpy.core.multiarray', 'scalar'],
] as const

/** How sure it is that bytes are a pickle. */
export type Certainty = 'head' | 'name' | 'perhaps'

/** Whether bytes begin as pickles of protocols 2 to 5 do; 0 and 1 may be written so, too. */
export const hasPickleHead = (head: Uint8Array): boolean => head[0] === 0x80 && (head[1] ?? 9) <= 5

/** Looks into the pickles that a file is made of, one behind the other (indexing.md §3.3). */
export function scanPickles(context: Context, file: FileBytes, certainty: Certainty): void {
  let at = 0
  let first: Value | undefined
  let isTorch = false
  for (let i = 0; i < MAX_STACKED && at < file.sizeBytes; i++) {
    if (isTorch && i === TORCH_PICKLES) return
    const isSure = i === 0 ? certainty !== 'perhaps' : hasPickleHead(file.read(at, 2))
    const walked = walkOne(context, file, at, i === 0 ? certainty : isSure ? 'head' : 'perhaps')
    if (!walked.isStopped) return
    if (i === 0) isTorch = isNumber(walked.result, TORCH_MAGIC)
    else if (i === 1 && isComputedMagic(first, walked.result))
      context.findings.problem(
        'pickle_computed_magic',
        'The pickle calls a function for the number that torch writes as it is.',
      )
    first ??= walked.result
    at = walked.end
  }
}

const isNumber = (value: Value, wanted: bigint): boolean =>
  value.kind === 'number' && BigInt(value.value) === wanted

/**
 * Whether a call stands where `torch.save` writes its magic. torch takes any equal number, and a reader that looks for the
 * literal sees no torch file. The version behind it may be computed as well.
 */
function isComputedMagic(first: Value | undefined, second: Value): boolean {
  if (first?.kind !== 'call') return false
  const [base] = first.args
  const isMade = (value: Value | undefined) => numberMakers.some(([m, name]) => isGlobal(value, m, name))
  const isRebuilt = isGlobal(first.of, 'copyreg', '_reconstructor') && isMade(base)
  return isMade(first.of) || isRebuilt || isNumber(second, TORCH_VERSION)
}

function walkOne(context: Context, file: FileBytes, at: number, certainty: Certainty): Walked {
  const isHead = certainty === 'head' || hasPickleHead(file.read(at, 2))
  const findings = new Findings()
  const walked = new PickleWalk(file, at, optionsOf({ ...context, findings }, file)).run()
  if (walked.isStopped) {
    context.findings.merge(findings)
    return walked
  }
  // Bytes that are no pickle may begin like one: a list of words, a picture. A file that is called a pickle, and one that
  // begins as such, counts as far as it was read: Python runs that much.
  const counts = isHead || (certainty === 'name' && findings.importCount > 0)
  if (counts) {
    context.findings.merge(findings)
    findTail(file, walked.end, context.findings, false)
  } else if (findings.hasDangerous) {
    context.findings.merge(findings)
    findTail(file, walked.end, context.findings, true)
  }
  return walked
}

function optionsOf(context: Context, file: FileBytes): WalkOptions {
  return {
    findings: context.findings,
    onData: (head, data) => {
      if (data.length < 4) return
      const inside = insideOf(head, data, file)
      if (inside) scanInside(context, inside)
    },
    onLoaded: (data) => {
      const bytes = data.isText ? unpackText(file, data, 'latin1') : part(file, data.at, data.length)
      if (bytes) scanInside(context, bytes)
      else context.findings.problem('scan_incomplete', 'A nested pickle is too large to be unpacked.')
    },
  }
}

function scanInside(context: Context, bytes: FileBytes): void {
  if (context.depth >= MAX_DEPTH)
    return context.findings.problem('scan_incomplete', `Pickles are nested more than ${MAX_DEPTH} deep.`)
  context.scanInside('', bytes)
}

/** The bytes of a nested pickle or archive: as they are, as characters in a text, or in base64. */
function insideOf(head: Uint8Array, data: Data, file: FileBytes): FileBytes | undefined {
  if (!data.isText) return isNested(head) ? part(file, data.at, data.length) : undefined
  if (head[0] === 0xc2 && head[1] === 0x80 && (head[2] ?? 9) <= 5) return unpackText(file, data, 'latin1')
  if (isNested(head)) return part(file, data.at, data.length)
  const text = Buffer.from(head.subarray(0, 24)).toString('latin1')
  if (data.length < 8 || !/^[A-Za-z0-9+/_=\s-]+$/.test(text)) return undefined
  return isNested(Buffer.from(text, 'base64')) ? unpackText(file, data, 'base64') : undefined
}

const isNested = (head: Uint8Array): boolean =>
  (hasPickleHead(head) && head.length > 2) ||
  (head[0] === 0x50 && head[1] === 0x4b && head[2] === 3 && head[3] === 4)

function unpackText(file: FileBytes, { at, length }: Data, from: 'latin1' | 'base64'): FileBytes | undefined {
  if (length > MAX_UNPACKED) return undefined
  const text = Buffer.from(file.read(at, length)).toString('utf8')
  return inMemory(Buffer.from(text, from))
}
