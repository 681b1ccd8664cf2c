import {
  contentFault,
  judgedAt,
  LineMeter,
  lineTooLong,
  sizeFault,
  type NameFault,
} from '../../../core/git/index.ts'
import type { ByteSource } from '../../../stores/storage/index.ts'
import { operationFault, operationsRefused } from './operations.ts'

/** A file's bytes, at hand or to come. */
export type Bytes = Buffer | { source: ByteSource; sizeBytes: number }

function refuse(n: number, field: string, { code, message }: NameFault): never {
  throw operationsRefused([operationFault(n, field, code, message)])
}

/**
 * The content of operation `n`, refused where `git fsck --strict` would object to it under this path: at once, or as
 * soon as the stream comes to what is wrong.
 */
export function judged(n: number, path: string, bytes: Bytes): Bytes {
  const file = judgedAt(path)
  if (!file) return bytes
  if (Buffer.isBuffer(bytes)) {
    requireSound(n, path, bytes)
    return bytes
  }
  const fault = sizeFault(file, bytes.sizeBytes)
  if (fault) refuse(n, 'path', fault)
  return { ...bytes, source: withShortLines(n, bytes.source) }
}

/** Problem `validation-failed` on `field` when git would object to this content under this path. */
export function requireSound(n: number, path: string, bytes: Buffer, field = 'path'): void {
  const file = judgedAt(path)
  const fault = file && contentFault(file, bytes)
  if (fault) refuse(n, field, fault)
}

async function* withShortLines(n: number, source: ByteSource): ByteSource {
  const meter = new LineMeter()
  for await (const piece of source) {
    if (!meter.isWithin(piece)) refuse(n, 'path', lineTooLong)
    yield piece
  }
}

/** Whether a copy takes a name whose content git judges, from a name it does not. */
export function needsJudging(from: string, to: string): boolean {
  const file = judgedAt(to)
  return file !== undefined && judgedAt(from) !== file
}

/** Refuses the copy of operation `n`, whose content cannot be read here. */
export function refuseCopy(n: number): never {
  refuse(n, 'to', {
    code: 'copy-not-judged',
    message: 'git reads files of this name: add it with its content',
  })
}
