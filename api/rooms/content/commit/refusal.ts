import type { EditFault } from '../../../core/git/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { reasons } from './edit-reasons.ts'
import { operationFault, operationsRefused } from './operations.ts'
import type { Staging } from './staging.ts'

/** Why edits cannot be made, as the Problem for the sender of the operations. */
export function refusal(faults: EditFault[], staging: Staging, base: string | undefined): Problem {
  const absent = faults.find(({ code }) => code === 'no-such-file' || code === 'no-such-folder')
  if (absent)
    return new Problem('entry-not-found', {
      detail: `${reasons[absent.code]}: ${absent.path}`,
      members: { commit: base },
    })
  return operationsRefused(
    faults.map(({ code, path }) => {
      const n = staging.changes.numberOf(path)
      return n === undefined
        ? { field: 'operations', code, message: `${path}: ${reasons[code]}` }
        : operationFault(n, 'path', code, `${path}: ${reasons[code]}`)
    }),
  )
}
