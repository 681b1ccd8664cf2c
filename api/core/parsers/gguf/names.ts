import type { FileProblem } from '../problem.ts'
import type { GgufFacts } from './facts.ts'
import { ggufShardOf, quantLabel } from './quants.ts'
import { isFileTypeName } from './types.ts'

/**
 * Where a file's name says something else than its header. Not among the facts: those belong to the bytes, which may
 * have many names.
 */
export function ggufNameProblems(path: string, facts: Pick<GgufFacts, 'split' | 'fileType'>): FileProblem[] {
  const problems: FileProblem[] = []
  const named = ggufShardOf(path)?.count ?? 1
  const counted = facts.split?.count ?? named
  if (Math.max(1, counted) !== named)
    problems.push({
      code: 'split_incomplete',
      message: `The header counts ${counted} shards, the name ${named}.`,
      severity: 'error',
    })
  const label = quantLabel(path)
  if (label !== undefined && facts.fileType !== undefined && !isAlike(label, facts.fileType))
    problems.push({
      code: 'quant_label_mismatch',
      message: `The name says ${label}, the header ${facts.fileType}.`,
      severity: 'info',
    })
  return problems
}

/** Labels without a file type of their own, and dynamic quants (`UD-`), mix types around the one that they name. */
function isAlike(label: string, fileType: string): boolean {
  const stated = label.replace(/^UD-/, '')
  if (stated === fileType) return true
  return (stated !== label || !isFileTypeName(stated)) && familyOf(stated) === familyOf(fileType)
}

/** `Q4` of `Q4_K_M`. */
const familyOf = (label: string): string => label.split('_', 1)[0] ?? ''
