import { requireInstanceAdmin } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { secretValues, configEntries, type ConfigEntry } from '../../../platform/config/index.ts'
import { redactor } from '../../../platform/telemetry/index.ts'

/** The configuration of this process, without secrets. For instance admins. */
export function getConfig({ actor, config, now }: Ctx): { startedAt: Date; entries: ConfigEntry[] } {
  requireInstanceAdmin(actor)
  // Addresses may hold a password too, such as that of the database.
  const redact = redactor(secretValues(config))
  return {
    startedAt: new Date(now().getTime() - Math.round(process.uptime() * 1000)),
    entries: configEntries(config).map((entry) => ({
      ...entry,
      value: entry.value === undefined ? undefined : redact(entry.value),
    })),
  }
}
