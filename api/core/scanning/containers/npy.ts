import { part, type FileBytes } from '../../parsers/index.ts'
import type { Context } from '../context.ts'
import { scanPickles } from '../pickle/scan-pickles.ts'

const MAX_HEADER = 64 * 1024

/** Looks into an array of numpy: one of objects is a pickle behind its header. The header is never evaluated. */
export function scanNpy(context: Context, file: FileBytes): void {
  const head = Buffer.from(file.read(0, 12))
  const major = head[6] ?? 0
  const isWide = major > 1
  if (head.length < 12) return context.findings.problem('npy_damaged', 'The header of the array is cut.')
  const length = isWide ? head.readUInt32LE(8) : head.readUInt16LE(8)
  const at = isWide ? 12 : 10
  if (length > MAX_HEADER || at + length > file.sizeBytes)
    return context.findings.problem('npy_damaged', `The header of the array announces ${length} bytes.`)
  const text = Buffer.from(file.read(at, length)).toString('latin1')
  const descr = /['"]descr['"]\s*:([^]*?)['"](?:fortran_order|shape)['"]/.exec(text)?.[1] ?? text
  if (!descr.includes('O') && /['"]descr['"]/.test(text)) return
  scanPickles(context, part(file, at + length), 'head')
}
