import type { Context, MiddlewareHandler } from 'hono'
import type { Ctx } from '../ctx.ts'
import { Problem } from '../../platform/problems/index.ts'
import type { Env } from './env.ts'
import { headerOf } from './header.ts'
import { jsonValue, LARGE_VALUES, USUAL_VALUES } from './json-text.ts'
import { faultsOfLists } from './long-lists.ts'
import { readBody, type BodyLimit } from './request-body.ts'

const isJson = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i

/** What a request's JSON body says, within the limit of its route; `undefined` for a blank one. Problems: `readBody`, `jsonValue`. */
export async function readJsonIfAny(c: Context<Env>, limit: BodyLimit = {}): Promise<unknown> {
  return jsonValue(await readBody(c, limit), limit.admit ? LARGE_VALUES : USUAL_VALUES)
}

/** As `readJsonIfAny`; Problem `invalid-request` for a blank body. */
export async function readJson(c: Context<Env>, limit: BodyLimit = {}): Promise<unknown> {
  const value = await readJsonIfAny(c, limit)
  if (value === undefined) throw new Problem('invalid-request', { detail: 'The body is not JSON.' })
  return value
}

/** How large the JSON body of a native operation may be. Without either: 1 MiB, of anonymous callers 64 KiB. */
export interface OperationLimit {
  /** 64 KiB at most. */
  smallBody?: true
  /** Up to `server.max_request_body`, of callers whom this admits; it rejects for all others, before the body is read. */
  largeBody?: (ctx: Ctx, pathParameters: Record<string, string>) => Promise<void>
}

/**
 * Reads the JSON body of an operation before its schema is looked at. Problem `unsupported-media-type` for a body of another
 * type, which would read as an empty one and an update by it as done.
 */
export function jsonBody(
  { smallBody, largeBody }: OperationLimit,
  { isOptional, schema }: { isOptional: boolean; schema: unknown },
): MiddlewareHandler<Env> {
  return async (c, next) => {
    const type = headerOf(c, 'content-type')
    if (isOptional && type === undefined) await requireNone(c)
    else {
      if (!isJson.test(type ?? ''))
        throw new Problem('unsupported-media-type', { detail: 'Send the body as application/json.' })
      const admit = largeBody && (() => largeBody(c.var.ctx, c.req.param()))
      const value = await readJson(c, { admit, ...(smallBody && { size: 'small' }) })
      const faults = await faultsOfLists(schema, value)
      if (faults) throw new Problem('validation-failed', faults)
      // What the schema's validator calls (hono 4.13: validator.js) would parse the text as a whole.
      Object.assign(c.req, { json: () => Promise.resolve(value) })
    }
    await next()
  }
}

async function requireNone(c: Context<Env>): Promise<void> {
  const bytes = await readBody(c, { size: 'small' })
  if (bytes.length > 0)
    throw new Problem('unsupported-media-type', { detail: 'Send the body as application/json.' })
}
