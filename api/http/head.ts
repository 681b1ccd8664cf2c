import type { Context } from 'hono'
import type { Env } from './env.ts'

/**
 * A HEAD as the application is given it: a GET, whose body Node leaves out of the answer by itself. Hono would answer
 * HEAD by a copy of GET's Response, which costs as much again as everything else a resolver's HEAD does.
 */
export function asGet(request: Request): Request {
  return request.method === 'HEAD'
    ? (Object.create(request, { method: { value: 'GET' } }) as Request)
    : request
}

/** Whether the client asked with HEAD. */
export function isHead(c: Context<Env>): boolean {
  return (c.env?.incoming?.method ?? c.req.method) === 'HEAD'
}
