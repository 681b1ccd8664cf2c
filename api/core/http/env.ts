import type { HttpBindings } from '@hono/node-server'
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Ctx } from '../ctx.ts'

/** What every handler finds: `c.var.ctx`, and on Node the raw request and response in `c.env`. */
export interface Env {
  Variables: {
    ctx: Ctx
    /** What every answer carries unless its handler says otherwise; plain, for bytes that go past Hono's Response. */
    headers: Record<string, string>
    /** In whose name a signed address is used; its requests carry no credentials. */
    signer?: Ctx['actor']
  }
  /** Absent under `app.request()`, so bytes fall back to web streams there. */
  Bindings: Partial<HttpBindings>
}

/** The application that rooms mount their routes on. */
export type App = OpenAPIHono<Env>
