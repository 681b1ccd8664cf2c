import type { FileBytes } from '../../parsers/index.ts'
import type { Findings } from '../findings.ts'
import { judge } from '../verdicts/judge.ts'
import { windows } from '../search.ts'

const SEARCHED_BYTES = 64 * 1024 * 1024
const MAX_NAME = 256
const oldImport = /[ci]([A-Za-z_][\w.]{0,200})\r?\n([A-Za-z_][\w.]{0,200})\r?\n/g
/** STACK_GLOBAL behind two short texts, each perhaps kept in the memo. */
const stackImport =
  /(?:\x8c[^]|X[^]\0\0\0)([A-Za-z_][\w.]{0,200})(?:\x94|q[^]|r[^]{4})?(?:\x8c[^]|X[^]\0\0\0)([A-Za-z_][\w.]{0,200})(?:\x94|q[^]|r[^]{4})?\x93/g

/**
 * Looks for imports behind the place where a pickle could not be read on. A reader that differs from ours may get there.
 * With `isDangerousOnly`, names that merely look like imports do not count.
 */
export function findTail(file: FileBytes, from: number, findings: Findings, isDangerousOnly: boolean): void {
  const end = Math.min(file.sizeBytes, from + SEARCHED_BYTES)
  let hits = 0
  for (const { bytes } of windows(file, from, end, 2 * MAX_NAME)) {
    const text = bytes.toString('latin1')
    for (const pattern of [oldImport, stackImport])
      for (const [, module = '', name = ''] of text.matchAll(pattern)) {
        if (isDangerousOnly && judge(module, name) !== 'dangerous') continue
        findings.import(module, name)
        hits++
      }
  }
  if (hits > 0)
    findings.problem(
      'pickle_unparsed_tail',
      `${hits} imports lie behind the place where the pickle cannot be read.`,
    )
}
