import { catalogue, type ProblemCode } from '../../../shared/problems.ts'

/** One faulty field: its path in dots (`operations.3.path`), a kebab-case code, and how to fix it. */
export interface FieldError {
  field: string
  code: string
  message: string
}

/** What a Problem carries besides its code. */
export interface ProblemDetail {
  /** One sentence for the person: what is wrong and how to fix it. Never internal text. */
  detail?: string
  errors?: FieldError[]
  /** Seconds after which the same request may succeed; sent as `Retry-After`. */
  retryAfterS?: number
  /** Extension members of the problem document, such as `current_commit` or `paths`. */
  members?: Record<string, unknown>
  /** Logged, never shown. */
  cause?: unknown
}

/** The only error a caller may see. Verbs throw it; each surface renders it once. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly status: (typeof catalogue)[ProblemCode]['status']
  readonly title: string
  readonly detail: string | undefined
  readonly errors: FieldError[] | undefined
  readonly retryAfterS: number | undefined
  readonly members: Record<string, unknown>

  constructor(code: ProblemCode, { detail, errors, retryAfterS, members, cause }: ProblemDetail = {}) {
    super(detail ?? catalogue[code].title, { cause })
    this.name = 'Problem'
    this.code = code
    this.status = catalogue[code].status
    this.title = catalogue[code].title
    this.detail = detail
    this.errors = errors
    this.retryAfterS = retryAfterS
    this.members = members ?? {}
  }
}

/** A `validation-failed` Problem about one field. */
export function invalidField(field: string, message: string, code = 'invalid'): Problem {
  return new Problem('validation-failed', {
    detail: `${field}: ${message}`,
    errors: [{ field, code, message }],
  })
}
