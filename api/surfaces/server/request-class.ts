import type { Context } from 'hono'
import type { Env } from '../../core/http/env.ts'
import { nativeBase, type ErrorSurface } from '../../core/http/surface.ts'
import type { RequestClass } from '../../platform/telemetry/index.ts'
import { signedBase } from '../../rooms/uploads/index.ts'

const files = /\/(?:resolve|raw)\//
const blobs = /^\/v2\/.*\/blobs\//
const exported = `${nativeBase}/exports/`
const rows = /\/rows$/
const sent = /\/(?:commits?(?:\/|$)|parts\/\d+$|attachments$)/
const isRead = (method: string) => method === 'GET' || method === 'HEAD'

/** Bodies that stream in are `upload`, bytes that stream out are `resolver`, other calls of machines are `api`. */
function classOfPath(method: string, path: string): RequestClass {
  if (path.startsWith('/api/')) {
    if (path.startsWith(signedBase)) return isRead(method) ? 'resolver' : 'upload'
    if (isRead(method)) return path.startsWith(exported) ? 'resolver' : rows.test(path) ? 'viewer' : 'api'
    return sent.test(path) ? 'upload' : 'api'
  }
  if (files.test(path) || blobs.test(path)) return 'resolver'
  if (path === '/uploads') return 'upload'
  return /^\/(?:oauth|auth|v2)\/|\/info\/lfs\//.test(path) ? 'api' : 'page'
}

/** Tells the class of a request: that of its surface, or else by its address. */
export function requestClassifier(surfaces: readonly ErrorSurface[]): (c: Context<Env>) => RequestClass {
  const own = surfaces.filter(({ requestClass }) => requestClass)
  return ({ req: { method, path } }) => {
    // The native API has a base of its own, and nearly all else that is asked often is a file.
    const surface = path.startsWith('/api/') ? undefined : own.find(({ owns }) => owns(path))
    return surface?.requestClass ?? classOfPath(method, path)
  }
}
