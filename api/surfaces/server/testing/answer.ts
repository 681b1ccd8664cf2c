import type { App } from '../../../core/http/env.ts'
import type { Ask } from './target.ts'

/** An answer without what differs between two answers to the same request. */
export interface Answer {
  status: number
  headers: Record<string, string>
  text: string
}

const ownToEach = new Set(['x-request-id', 'date'])

/** Sends a request with these credentials. */
export async function answerTo(app: App, ask: Ask, credentials: Record<string, string>): Promise<Answer> {
  const { method, path, headers, body } = ask
  const init = { method, headers: { ...headers, ...credentials }, ...(body === undefined ? {} : { body }) }
  const answer = await app.request(path, init)
  const text = await answer.text()
  const kept = Object.fromEntries([...answer.headers].filter(([name]) => !ownToEach.has(name)))
  const isObject = /json/.test(kept['content-type'] ?? '') && text.startsWith('{')
  return { status: answer.status, headers: kept, text: isObject ? withoutRequest(text) : text }
}

function withoutRequest(text: string): string {
  const { request_id, instance, ...rest } = JSON.parse(text) as Record<string, unknown>
  // Both are there or neither is; the address is the one that was asked.
  return JSON.stringify({
    ...rest,
    hasRequest: request_id !== undefined,
    hasInstance: instance !== undefined,
  })
}
