import { time } from '../../core/http/contract.ts'
import type { App } from '../../core/http/env.ts'
import { getHealth } from './get-health.ts'
import * as routes from './routes.ts'

/** The checks of `arsenal doctor` for the administration page. */
export function mountHealth(app: App): void {
  app.openapi(routes.getHealth, async (c) => {
    const { at, findings } = await getHealth(c.var.ctx)
    return c.json({ at: time(at), findings }, 200)
  })
}
