import type { Context } from 'hono'
import { Problem } from '../../platform/problems/index.ts'
import type { Env } from './env.ts'

const signals = new WeakMap<Context<Env>, AbortSignal>()

/**
 * Aborts when the client of a request has gone before it had the whole answer. Made at its first use: a signal takes
 * Node 20 some 8 µs, which a HEAD need not pay.
 */
export function goneSignal(c: Context<Env>): AbortSignal {
  const known = signals.get(c)
  if (known) return known
  const signal = makeSignal(c)
  signals.set(c, signal)
  return signal
}

function makeSignal(c: Context<Env>): AbortSignal {
  const { outgoing } = c.env ?? {}
  if (!outgoing) return c.req.raw.signal
  const gone = new AbortController()
  const look = () => {
    if (outgoing.writableFinished) return
    // Seen by what still works for the request alone; as a Problem it is not logged as a fault of ours.
    const detail = 'The connection was closed before the answer was complete. Send the request again.'
    gone.abort(new Problem('invalid-request', { detail }))
  }
  if (outgoing.destroyed) look()
  else outgoing.once('close', look)
  return gone.signal
}
