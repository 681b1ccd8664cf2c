import { OpenAPIHono } from '@hono/zod-openapi'
import { bodyLimit } from 'hono/body-limit'
import { anonymous } from './access/index.ts'
import { mountAuth } from './auth/handlers.ts'
import { mountOAuth } from './auth/oauth.ts'
import { mountContent } from './content/handlers.ts'
import type { Deps } from './ctx.ts'
import { csrf } from './http/csrf.ts'
import type { App, Env } from './http/env.ts'
import { healthRoutes, type Readiness } from './http/health.ts'
import { identifyCaller } from './http/identify.ts'
import { originOf } from './http/origin.ts'
import { mountPages } from './http/pages.ts'
import { problemResponse } from './http/problem-response.ts'
import { mountReference, nativeBase } from './http/reference.ts'
import { logRequests } from './http/request-log.ts'
import { securityHeaders } from './http/security-headers.ts'
import { validationHook } from './http/validation.ts'
import { hubErrorResponse } from './hub/errors.ts'
import { mountHub } from './hub/handlers.ts'
import { isHubPath } from './hub/paths.ts'
import { mountJobs } from './jobs/handlers.ts'
import { mountAvatars, mountNamespaces } from './namespaces/handlers.ts'
import { Problem } from './problems/index.ts'
import { mountRepos } from './repos/handlers.ts'
import { mountSearch } from './search/handlers.ts'
import { mountUploads } from './uploads/handlers.ts'
import { mountLfs } from './uploads/lfs-handlers.ts'

/** The native surface: every room's operations under `/api/service/v1`. */
export function buildNative(maxBodyBytes: number): App {
  const app: App = new OpenAPIHono<Env>({ defaultHook: validationHook })
  app.use(csrf)
  const limitBody = bodyLimit({
    maxSize: maxBodyBytes,
    onError: () => {
      throw new Problem('body-too-large', { detail: `The body may have at most ${maxBodyBytes} bytes.` })
    },
  })
  // Parts of uploads stream and may have any size.
  app.use((c, next) =>
    c.req.header('Content-Type') === 'application/octet-stream' ? next() : limitBody(c, next),
  )
  mountAuth(app)
  mountNamespaces(app)
  mountRepos(app)
  mountContent(app)
  mountUploads(app)
  mountJobs(app)
  mountSearch(app)
  mountReference(app)
  app.all('*', () => {
    throw new Problem('not-found')
  })
  return app
}

/** The whole server as one fetch handler. `main.ts`, the tests and the client generator build it from here alone. */
export function buildApp(deps: Deps, readiness: Readiness): App {
  const app: App = new OpenAPIHono<Env>()
  app.route('/', healthRoutes(readiness))
  app.use(async (c, next) => {
    c.set('ctx', { ...deps, actor: anonymous, origin: originOf(c, deps.config) })
    await next()
  })
  app.onError((error, c) => (isHubPath(c.req.path) ? hubErrorResponse(c, error) : problemResponse(c, error)))
  app.use(logRequests, securityHeaders, identifyCaller)
  app.route(nativeBase, buildNative(deps.config.server.max_request_body))
  mountOAuth(app)
  mountAvatars(app)
  mountLfs(app)
  mountHub(app)
  mountPages(app)
  app.notFound((c) => {
    const nothing = new Problem('not-found')
    return isHubPath(c.req.path) ? hubErrorResponse(c, nothing) : problemResponse(c, nothing)
  })
  return app
}
