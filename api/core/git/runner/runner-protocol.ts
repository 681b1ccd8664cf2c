/** What a git is to do. `dir` is its working directory, always a bare repository or an empty folder of ours. */
export interface Order {
  dir: string
  /** Validated oids, fixed words, and paths after `--`; never a client's ref name or revision. */
  args: string[]
  timeoutMs: number
  protocol?: number
  /** The trace it is part of, for what it starts itself. */
  traceparent?: string
  /** The most git may allocate at once; it ends instead (wrapper.c, memory_limit_check). */
  allocBytes?: number
}

export const ORDER = 'x-order'
export const EXIT_CODE = 'x-exit-code'
export const STDERR = 'x-stderr'

/** An order as a header value. */
export function writeOrder(order: Order): string {
  return Buffer.from(JSON.stringify(order)).toString('base64')
}

/** The order of a header value; the other end of the socket is this same program. */
export function readOrder(header: string | string[] | undefined): Order {
  return JSON.parse(Buffer.from(String(header), 'base64').toString('utf8')) as Order
}
