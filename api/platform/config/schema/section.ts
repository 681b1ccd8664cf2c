import { z } from 'zod'
import * as checks from '../checks.ts'

/** A check of a value that may be left empty. */
export function unlessEmpty(says: (value: string) => string | undefined) {
  return (value: string, c: z.core.$RefinementCtx) => {
    const wrong = value === '' ? undefined : says(value)
    if (wrong) c.addIssue(`"${value}" ${wrong}`)
  }
}

/** Like `unlessEmpty`, without repeating the value. */
export function secretly(says: (value: string) => string | undefined) {
  return (value: string, c: z.core.$RefinementCtx) => {
    const wrong = value === '' ? undefined : says(value)
    if (wrong) c.addIssue(wrong)
  }
}

/** A section of the configuration: unknown keys are errors, and all of it may be left out. */
export function section<T extends z.core.$ZodLooseShape>(shape: T) {
  return z.strictObject(shape).prefault({} as never)
}

/** A URL, or nothing. */
export const url = (shape?: 'origin') => unlessEmpty((v) => checks.urlFault(v, shape))

export function withoutSlash(value: string): string {
  return value.replace(/\/+$/, '')
}
