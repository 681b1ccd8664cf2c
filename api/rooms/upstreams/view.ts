import type { z } from '../../core/http/contract.ts'
import { optionalTime } from '../../core/http/contract.ts'
import type { UpstreamState } from './manage.ts'
import type { Upstream as Schema } from './routes.ts'
import type { SavedToken } from './tokens.ts'
import type { Upstream } from './upstream.ts'

/** An upstream as everyone may see it; the results of checks are for admins. */
export function viewUpstream(upstream: Upstream, state?: UpstreamState): z.input<typeof Schema> {
  const checkedAt = optionalTime(state?.checked_at ?? null)
  const pausedUntil = optionalTime(state?.paused_until ?? null)
  return {
    id: upstream.id,
    name: upstream.name,
    base_url: upstream.baseUrl,
    enabled: upstream.enabled,
    viewer_url: upstream.viewerUrl,
    namespace_prefix: upstream.namespacePrefix,
    has_instance_token: upstream.token() !== undefined,
    configured: upstream.isConfigured,
    ...(state?.healthy === null || state?.healthy === undefined ? {} : { healthy: state.healthy }),
    ...(checkedAt && { checked_at: checkedAt }),
    ...(state?.findings && { findings: state.findings }),
    ...(pausedUntil && { paused_until: pausedUntil }),
  }
}

export function viewSavedToken(upstream: string, row: SavedToken | undefined) {
  const checkedAt = optionalTime(row?.checked_at ?? null)
  return {
    upstream,
    saved: row !== undefined,
    ...(row && { saved_at: row.saved_at.toISOString() }),
    ...(checkedAt && { checked_at: checkedAt }),
    ...(row?.valid === null || row?.valid === undefined ? {} : { valid: row.valid }),
  }
}
