import type { Context } from 'hono'
import type { Env } from './env.ts'

/**
 * A HEAD as the application is given it: a GET, whose body Node leaves out of the answer by itself. Hono would answer
 * HEAD by a copy of GET's Response, which costs as much again as everything else a resolver's HEAD does.
 */
export function asGet(request: Request): Request {
  // On the request itself: an object made of each by inheritance is a shape of its own, which slows all who read it.
  return request.method === 'HEAD' ? Object.defineProperty(request, 'method', { value: 'GET' }) : request
}

/** Whether the client asked with HEAD. */
export function isHead(c: Context<Env>): boolean {
  return (c.env?.incoming?.method ?? c.req.method) === 'HEAD'
}
