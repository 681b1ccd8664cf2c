import { Problem, type ProblemCode } from '../../platform/problems/index.ts'
import type { UploadRow } from './queries.ts'

/** Bytes that are more or fewer than declared. */
export function sizeMismatch(declaredBytes: number, sentBytes?: number): Problem {
  const sent = sentBytes === undefined ? 'another number' : String(sentBytes)
  return new Problem('size-mismatch', {
    detail: `Expected ${declaredBytes} bytes, got ${sent}. Upload the file again.`,
  })
}

/** Bytes whose SHA-256 is another than declared. */
export function digestMismatch(declared: string, found: string): Problem {
  return new Problem('digest-mismatch', {
    detail: `Expected SHA-256 ${declared}, got ${found}. Upload the file again.`,
  })
}

/** Whether the bytes themselves are wrong, so that sending the request again cannot help. */
export function isWrongBytes(error: unknown): error is Problem {
  return error instanceof Problem && (error.code === 'digest-mismatch' || error.code === 'size-mismatch')
}

/** An upload that was aborted or is past its deadline. */
export function uploadEnded(): Problem {
  return new Problem('state-conflict', { detail: 'This upload has ended without success. Begin it again.' })
}

/** Why an upload ended without success. */
export function endOf(upload: UploadRow | undefined): Problem {
  const problem = upload?.problem
  return problem ? new Problem(problem.code as ProblemCode, { detail: problem.message }) : uploadEnded()
}

/** For addresses that authenticate themselves and outlive the repo: who holds one could see it when the address was made. */
export function repoDeleted(): Problem {
  return new Problem('not-found', {
    detail: 'The repo of this upload has been deleted. Once it is restored, upload again.',
  })
}
