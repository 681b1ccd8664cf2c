import { OpenAPIHono } from '@hono/zod-openapi'
import type { Deps } from '../../core/ctx.ts'
import { Problem } from '../../platform/problems/index.ts'
import { admission, type Capacities } from './admission.ts'
import { AuthorityWatch } from './authority-watch.ts'
import { csrf } from './csrf.ts'
import type { App, Env } from '../../core/http/env.ts'
import { gzipJson } from './gzip-json.ts'
import { healthRoutes, type Readiness } from './health.ts'
import { identifyCaller } from './identify.ts'
import { originReader, proxyTest } from './origin.ts'
import { problemResponse } from '../../core/http/problem-response.ts'
import { RequestCtx } from './request-ctx.ts'
import { rateLimit } from './rate-limit.ts'
import { nativeBase, type ErrorSurface, type Mount } from '../../core/http/surface.ts'
import { mountReference } from './reference.ts'
import { redirectMoved } from './moved.ts'
import { logRequest } from './request-log.ts'
import { answered, observed } from './observed.ts'
import { requestClassifier } from './request-class.ts'
import { addAnswerHeaders, answerHeaders, answerPolicy } from '../../core/http/security-headers.ts'
import { validationHook } from '../../core/http/validation.ts'

/** The native surface: the operations of the given rooms, relative to `nativeBase`. */
export function nativeSurface(mounts: Mount[]): App {
  const app: App = new OpenAPIHono<Env>({ defaultHook: validationHook })
  app.use(gzipJson)
  app.use(csrf)
  for (const mount of mounts) mount(app)
  mountReference(app)
  app.all('*', () => {
    throw new Problem('not-found')
  })
  return app
}

/**
 * What every surface shares: the caller's context, request log, security headers, and failures rendered by the surface
 * an address belongs to (the native one when none claims it).
 */
export function frame(
  deps: Deps,
  surfaces: ErrorSurface[] = [],
  readiness?: Readiness,
  capacities?: Capacities,
): App {
  const app: App = new OpenAPIHono<Env>()
  const policy = answerPolicy(deps.config)
  const originOf = originReader(deps.config)
  const isProxy = proxyTest(deps.config)
  const rendererOf = (path: string) =>
    (path.startsWith(`${nativeBase}/`) ? undefined : surfaces.find((surface) => surface.owns(path)))
      ?.render ?? problemResponse
  app.onError((thrown, c) => {
    const redirect = redirectMoved(c, thrown)
    return redirect instanceof Response ? redirect : rendererOf(c.req.path)(c, redirect.error)
  })
  app.notFound((c) => rendererOf(c.req.path)(c, new Problem('not-found')))
  const watch = new AuthorityWatch()
  // Before the rest, so that probes are neither logged nor identified.
  if (readiness) app.route('/', healthRoutes(readiness))
  app.use(async (c, next) => {
    const startedAt = performance.now()
    const origin = originOf(c)
    c.set('ctx', new RequestCtx(deps, origin, c))
    c.set('headers', answerHeaders(origin.requestId, policy))
    const begun = observed(c, startedAt, isProxy)
    watch.enter(c)
    try {
      await (begun ? begun.within(next) : next()).finally(() => watch.leave(c))
      addAnswerHeaders(c)
      logRequest(c, startedAt, begun)
    } catch (error) {
      begun?.end({ route: '*', status: 500 }, error)
      throw error
    }
    begun?.end(answered(c))
  })
  const strange = surfaces.filter((surface) => surface.identifiesItself)
  const limit = rateLimit(deps)
  const identify = identifyCaller(limit)
  const admit = admission(deps, requestClassifier(surfaces), capacities)
  app.use((c, next) => {
    const enter = () => admit(c, next) as Promise<void>
    return strange.some((surface) => surface.owns(c.req.path)) ? limit(c, enter) : identify(c, enter)
  })
  return app
}
