import { time } from '../../../core/http/contract.ts'
import type { App } from '../../../core/http/env.ts'
import type { ConfigEntry } from '../../../platform/config/index.ts'
import { getConfig } from './get-config.ts'
import * as routes from './routes.ts'

const viewEntry = ({ value, isSecret, isSet, source, ...entry }: ConfigEntry) => ({
  ...entry,
  ...(value !== undefined && { value }),
  is_secret: isSecret,
  is_set: isSet,
  ...(source !== undefined && { source }),
})

/** The configuration for the administration page. */
export function mountConfig(app: App): void {
  app.openapi(routes.getConfig, (c) => {
    const { startedAt, entries } = getConfig(c.var.ctx)
    return c.json({ started_at: time(startedAt), entries: entries.map(viewEntry) }, 200)
  })
}
