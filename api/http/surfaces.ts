import { OpenAPIHono } from '@hono/zod-openapi'
import { anonymous } from '../access/index.ts'
import type { Deps } from '../ctx.ts'
import { Problem } from '../problems/index.ts'
import { csrf } from './csrf.ts'
import type { App, Env } from './env.ts'
import { healthRoutes, type Readiness } from './health.ts'
import { identifyCaller } from './identify.ts'
import { originOf } from './origin.ts'
import { problemResponse } from './problem-response.ts'
import { rateLimit } from './rate-limit.ts'
import { mountReference, nativeBase } from './reference.ts'
import { redirectMoved } from './moved.ts'
import { logRequest } from './request-log.ts'
import { addAnswerHeaders, answerHeaders, answerPolicy } from './security-headers.ts'
import { validationHook } from './validation.ts'

/** Adds one room's routes to a surface. */
export type Mount = (app: App) => void

/** How one surface renders a failure on the addresses that belong to it. */
export interface ErrorSurface {
  owns(path: string): boolean
  render: typeof problemResponse
  /** Its callers bring credentials that are not a person's, which the surface looks at by itself. */
  identifiesItself?: true
}

/** The native surface: the operations of the given rooms, relative to `nativeBase`. */
export function nativeSurface(mounts: Mount[]): App {
  const app: App = new OpenAPIHono<Env>({ defaultHook: validationHook })
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
export function frame(deps: Deps, surfaces: ErrorSurface[] = [], readiness?: Readiness): App {
  const app: App = new OpenAPIHono<Env>()
  const policy = answerPolicy(deps.config)
  const rendererOf = (path: string) =>
    (path.startsWith(`${nativeBase}/`) ? undefined : surfaces.find((surface) => surface.owns(path)))
      ?.render ?? problemResponse
  app.onError((thrown, c) => {
    const redirect = redirectMoved(c, thrown)
    return redirect instanceof Response ? redirect : rendererOf(c.req.path)(c, redirect.error)
  })
  app.notFound((c) => rendererOf(c.req.path)(c, new Problem('not-found')))
  // Before the rest, so that probes are neither logged nor identified.
  if (readiness) app.route('/', healthRoutes(readiness))
  app.use(async (c, next) => {
    const startedAt = performance.now()
    const origin = originOf(c, deps.config)
    // What is named goes before the spread, here and wherever a HEAD comes by: behind one, Node 20 takes 1.5 µs for it.
    c.set('ctx', { actor: anonymous, origin, ...deps })
    c.set('headers', answerHeaders(origin.requestId, policy))
    await next()
    addAnswerHeaders(c)
    logRequest(c, startedAt)
  })
  const strange = surfaces.filter((surface) => surface.identifiesItself)
  const limit = rateLimit(deps)
  const identify = identifyCaller(limit)
  app.use((c, next) =>
    strange.some((surface) => surface.owns(c.req.path)) ? limit(c, next) : identify(c, next),
  )
  return app
}
