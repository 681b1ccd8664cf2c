import { randomFillSync } from 'node:crypto'
import type { IdGenerator } from '@opentelemetry/sdk-trace-node'

const BYTES = 4096
const TRACE_DIGITS = 32
const SPAN_DIGITS = 16

const bytes = Buffer.alloc(BYTES)
let digits = ''
let at = 0

/** Random digits, made many at a time. */
function next(length: number): string {
  if (at + length > digits.length) {
    digits = randomFillSync(bytes).toString('hex')
    at = 0
  }
  const id = digits.slice(at, (at += length))
  // The W3C form forbids an id of zeros.
  return /[^0]/.test(id) ? id : next(length)
}

export const ids: IdGenerator = {
  generateTraceId: () => next(TRACE_DIGITS),
  generateSpanId: () => next(SPAN_DIGITS),
}
