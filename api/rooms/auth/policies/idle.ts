import { lte, type SQL } from 'drizzle-orm'
import type { Tables } from '../../../stores/db/index.ts'

/** Uses of sessions and tokens are written down at most this often. */
export const touchEveryMs = 60_000

/** Minutes in words: `30 minutes`, `8 hours`. */
export function formatMinutes(minutes: number): string {
  const [count, unit] = minutes % 60 === 0 ? [minutes / 60, 'hour'] : [minutes, 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/**
 * When a session last used at a time ends for want of use. What is written of its use may be a minute old, so it ends up
 * to a minute late, never early.
 */
export const idleEnd = (usedAt: Date, minutes: number): Date =>
  new Date(usedAt.getTime() + minutes * 60_000 + touchEveryMs)

/** Sessions that have ended for want of use; nothing without the policy. */
export function isIdle({ sessions }: Tables, minutes: number | null, now: Date): SQL | undefined {
  if (minutes === null) return undefined
  return lte(sessions.last_seen_at, new Date(now.getTime() - minutes * 60_000 - touchEveryMs))
}
