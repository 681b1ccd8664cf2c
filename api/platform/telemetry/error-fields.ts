/** What the log keeps of an error. */
export interface ErrorFields {
  type: string
  message: string
  stack?: string
  code?: string
  cause?: ErrorFields
}

const maxCauses = 5

/** Name, text, stack, code and causes of an error. Bound values of a failed query, which drizzle appends, are left out. */
export function errorFields(error: unknown, causes = maxCauses): ErrorFields {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const message = withoutParams(error.message)
  return {
    type: error.name,
    message,
    ...(error.stack && { stack: error.stack.replace(error.message, message) }),
    ...(code && { code }),
    ...(error.cause !== undefined && causes > 0 && { cause: errorFields(error.cause, causes - 1) }),
  }
}

function withoutParams(message: string): string {
  return message.replace(/\nparams: [\s\S]*$/, '')
}
