import type { FoundImport } from '../../../core/scanning/index.ts'
import { findFindings, keyOf, type Reader } from '../content.ts'
import type { FileVerdict } from './statuses.ts'

/** Contents whose findings are read together: at most half a megabyte each. */
const BATCH = 50

/**
 * What files import, by path: the worst first. `max` in all; of files beyond that the worst import alone, so that no answer
 * grows without bound.
 */
export async function fileImports(
  reader: Reader,
  verdicts: ReadonlyMap<string, FileVerdict>,
  max: number,
): Promise<Map<string, FoundImport[]>> {
  const found = new Map<string, FoundImport[]>()
  const looked = [...verdicts].flatMap(([path, { row }]) => (row?.checked ? [{ path, row }] : []))
  let left = max
  for (let at = 0; at < looked.length; at += BATCH) {
    const some = looked.slice(at, at + BATCH)
    const findings = await findFindings(
      reader,
      some.map(({ row }) => row),
    )
    for (const { path, row } of some) {
      const imports = (findings.get(keyOf(row))?.imports ?? []).slice(0, Math.max(1, left))
      left -= imports.length
      found.set(path, imports)
    }
  }
  return found
}
