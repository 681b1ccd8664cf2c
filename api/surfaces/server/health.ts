import { Hono } from 'hono'

/** Whether this process may be sent requests; `serve` moves it from starting over ready to draining. */
export interface Readiness {
  state: 'starting' | 'ready' | 'draining'
  /** Asks the database and the blob store; rejects when one does not answer. */
  check(): Promise<void>
}

const checkedForMs = 1000

/** `/healthz` does no I/O. `/readyz` is 503 until everything is good, and while draining (reliability.md §14). */
export function healthRoutes(readiness: Readiness): Hono {
  const app = new Hono()
  let checkedAt = 0
  app.get('/healthz', (c) => c.json({ status: 'ok' }))
  app.get('/readyz', async (c) => {
    if (readiness.state !== 'ready') return c.json({ status: readiness.state }, 503, { 'Retry-After': '1' })
    if (Date.now() - checkedAt > checkedForMs) {
      try {
        await readiness.check()
      } catch {
        return c.json({ status: 'unavailable' }, 503, { 'Retry-After': '5' })
      }
      checkedAt = Date.now()
    }
    return c.json({ status: 'ready' })
  })
  return app
}
