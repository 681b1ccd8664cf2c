import { mountAdmin } from './admin/handlers.ts'
import { mountAuth } from './auth/handlers.ts'
import { mountOAuth } from './auth/oauth-handlers.ts'
import { casSurface, mountCas } from './chunk/cas-handlers.ts'
import { chunkAction } from './chunk/index.ts'
import { mountCollections } from './collections/handlers.ts'
import { mountContent } from './content/handlers.ts'
import type { Deps } from './ctx.ts'
import { mountAttachments } from './discussions/attachments/handlers.ts'
import { mountDiscussions } from './discussions/handlers.ts'
import { pullRequestPushes } from './discussions/index.ts'
import { gitSurface, mountGit } from './git/wire/git-handlers.ts'
import type { App } from './http/env.ts'
import type { Readiness } from './http/health.ts'
import { mountPages } from './http/pages.ts'
import { nativeBase } from './http/reference.ts'
import { frame, nativeSurface, type Mount } from './http/surfaces.ts'
import { jobEnded, jobKinds } from './housekeeping.ts'
import { openCors } from './hub/cors.ts'
import { hubErrorResponse } from './hub/errors.ts'
import { mountHub } from './hub/handlers.ts'
import { isHubPath } from './hub/paths.ts'
import { singleNameGit } from './hub/single-name-git.ts'
import { viewerHost } from './hub/viewer-host.ts'
import { mountJobs } from './jobs/handlers.ts'
import { mountAvatars, mountNamespaces } from './namespaces/handlers.ts'
import { mountRepos } from './repos/handlers.ts'
import { mountSearch } from './search/handlers.ts'
import { mountUploads } from './uploads/handlers.ts'
import { mountLfs } from './uploads/lfs-handlers.ts'
import { mountWebhooks } from './webhooks/handlers.ts'

/** Every room with native operations. */
export const nativeRooms: Mount[] = [
  mountAuth,
  mountNamespaces,
  mountRepos,
  mountContent,
  mountDiscussions,
  mountCollections,
  mountUploads,
  mountJobs(jobKinds, jobEnded),
  mountSearch,
  mountAdmin,
  mountWebhooks,
]

/** The whole server as one fetch handler. `main.ts` and the tests build it from here alone. */
export function buildApp(deps: Deps, readiness: Readiness): App {
  const surfaces = [casSurface(deps.config), gitSurface, { owns: isHubPath, render: hubErrorResponse }]
  const app = frame(deps, surfaces, readiness)
  app.use(openCors(surfaces))
  app.use(viewerHost)
  app.use(singleNameGit)
  app.route(nativeBase, nativeSurface(nativeRooms))
  mountOAuth(app)
  mountAvatars(app)
  mountAttachments(app)
  mountLfs(app, { offerChunks: chunkAction })
  mountGit(app, { pulls: pullRequestPushes })
  mountCas(app, deps.config)
  mountHub(app)
  mountPages(app)
  return app
}
