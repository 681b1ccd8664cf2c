import type { MiddlewareHandler, Next } from 'hono'
import { mountActivity } from '../rooms/activity/handlers.ts'
import { mountAdmin } from '../rooms/admin/handlers.ts'
import { mountAuth } from '../rooms/auth/handlers.ts'
import { actorNow } from '../rooms/auth/index.ts'
import { mountOAuth } from '../rooms/auth/oauth-handlers.ts'
import { mountOidc } from '../rooms/auth/oidc/handlers.ts'
import { casSurface, mountCas } from '../surfaces/chunk-http/handlers.ts'
import { chunkAction } from '../rooms/chunk/index.ts'
import { mountCollections } from '../rooms/collections/handlers.ts'
import { mountContent } from '../rooms/content/handlers.ts'
import { mountFacts } from '../rooms/facts/handlers.ts'
import { mountDatasets } from '../rooms/datasets/handlers.ts'
import { mountFileRows } from '../rooms/datasets/viewer/handlers.ts'
import { mountIndexing } from '../rooms/indexing/handlers.ts'
import type { Deps } from '../core/ctx.ts'
import { mountAttachments } from '../rooms/discussions/attachments/handlers.ts'
import { mountDiscover } from '../rooms/discover/handlers.ts'
import { mountDiscussions } from '../rooms/discussions/handlers.ts'
import { pullRequestPushes } from '../rooms/discussions/index.ts'
import { gitSurface, mountGit } from '../surfaces/smart-http/handlers.ts'
import type { App, Env } from '../core/http/env.ts'
import type { Readiness } from '../surfaces/server/health.ts'
import { doctorSurface, mountDoctor } from '../surfaces/server/doctor/handlers.ts'
import { mountPages } from '../surfaces/server/pages.ts'
import { pullsThrough } from '../surfaces/server/pull-through.ts'
import { nativeBase, type Mount } from '../core/http/surface.ts'
import type { Capacities } from '../surfaces/server/admission.ts'
import { frame, nativeSurface } from '../surfaces/server/frame.ts'
import { jobEnded, jobKinds, jobSchedules } from './housekeeping.ts'
import { openCors } from '../surfaces/hub/wire/cors.ts'
import { hubErrorResponse } from '../surfaces/hub/wire/errors.ts'
import { mountHub } from '../surfaces/hub/handlers.ts'
import { isHubPath } from '../surfaces/hub/wire/paths.ts'
import { singleNameGit } from '../surfaces/hub/wire/single-name-git.ts'
import { mountHealth } from '../rooms/health/handlers.ts'
import { mountJobs } from '../core/jobs/handlers.ts'
import { mountMirrors } from '../rooms/mirrors/handlers.ts'
import { mountLogo } from '../rooms/admin/look/handlers.ts'
import { openLook } from '../rooms/admin/index.ts'
import { viewLook } from '../rooms/admin/look/view.ts'
import { mountAvatars } from '../rooms/namespaces/avatars/handlers.ts'
import { mountNamespaces } from '../rooms/namespaces/handlers.ts'
import { mountOllama, ollamaSurface } from '../surfaces/ollama/handlers.ts'
import { mountQuants } from '../rooms/quants/handlers.ts'
import { mountRepos } from '../rooms/repos/handlers.ts'
import { mountScans } from '../rooms/scans/handlers.ts'
import { mountSavedSearches } from '../rooms/search/saved/handlers.ts'
import { mountSearch } from '../rooms/search/handlers.ts'
import { mountUpstreams } from '../rooms/upstreams/handlers.ts'
import { mountUploads } from '../rooms/uploads/handlers.ts'
import { mountLfs } from '../surfaces/lfs-http/handlers.ts'
import { isViewerHost, mountViewer, viewerHost, viewerSurface } from '../surfaces/viewer/handlers.ts'
import { mountWebhooks } from '../rooms/webhooks/handlers.ts'

/** Every room with native operations. */
export const nativeRooms: Mount[] = [
  mountAuth,
  mountNamespaces,
  mountActivity,
  mountRepos,
  mountContent,
  mountScans,
  mountQuants,
  mountFacts,
  mountIndexing,
  mountDatasets,
  mountFileRows,
  mountDiscussions,
  mountCollections,
  mountUploads,
  mountUpstreams,
  mountMirrors,
  mountDiscover,
  mountJobs({ kinds: jobKinds, ended: jobEnded, actorNow }),
  mountSearch,
  mountSavedSearches,
  mountAdmin({ kinds: jobKinds, ended: jobEnded, schedules: jobSchedules }),
  mountHealth,
  mountWebhooks,
]

/**
 * Several handlers as one, for those that do nothing once the next has answered: Hono looks up, orders and awaits each by
 * itself, which takes 3 µs of a request.
 */
const asOne =
  (handlers: MiddlewareHandler<Env>[]): MiddlewareHandler<Env> =>
  (c, next) =>
    handlers.reduceRight<Next>((rest, handle) => () => handle(c, rest) as Promise<void>, next)()

/**
 * The whole server as one fetch handler. `main.ts` and the tests build it from here alone; tests with `capacities` that
 * are soon full.
 */
export function buildApp(deps: Deps, readiness: Readiness, capacities?: Capacities): App {
  const surfaces = [
    casSurface(deps.config),
    gitSurface,
    ollamaSurface,
    viewerSurface,
    doctorSurface,
    { owns: isHubPath, render: hubErrorResponse },
  ]
  const app = frame(deps, surfaces, readiness, capacities)
  const cors = openCors(surfaces, isViewerHost)
  // `singleNameGit` asks upstreams, so `pullsThrough` comes before it.
  const pulling = deps.config.pull.pull_through.enabled ? [pullsThrough] : []
  app.use(asOne([cors, viewerHost, ...pulling, singleNameGit]))
  app.route(nativeBase, nativeSurface(nativeRooms))
  mountDoctor(app)
  mountOAuth(app)
  mountOidc(app)
  mountAvatars(app)
  mountLogo(app)
  mountAttachments(app)
  mountLfs(app, { chunkActionFor: chunkAction })
  mountGit(app, { pulls: pullRequestPushes })
  mountCas(app, deps.config)
  mountOllama(app)
  mountViewer(app)
  mountHub(app)
  mountPages(app, async (ctx) => viewLook(await openLook(ctx)))
  return app
}
