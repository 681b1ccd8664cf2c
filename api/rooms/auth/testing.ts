import type { App } from '../../core/http/env.ts'
import { appOf, type World } from '../../testing.ts'
import { mountAuth } from './handlers.ts'
import { login as anyLogin } from './login.ts'
import { mountOAuth } from './oauth-handlers.ts'

export const base = '/api/service/v1'
export const password = 'quiet-otter-lamp-42'
export const origin = 'http://localhost:8080'

/** Signs in a user who has no second factor: the secret of the session. */
export async function login(...given: Parameters<typeof anyLogin>): Promise<string> {
  const begun = await anyLogin(...given)
  if (typeof begun !== 'string') throw new Error('a second factor is asked for')
  return begun
}

/** Who calls, from where, with what. */
export interface Call {
  bearer?: string
  /** A session's secret, sent as the cookie. */
  session?: string
  csrf?: string
  body?: unknown
  headers?: Record<string, string>
  ip?: string
}

/** Calls the account operations of a world as a client would. */
export function client(world: World) {
  let app: App | undefined
  return async (
    method: string,
    path: string,
    { bearer, session, csrf, body, headers, ip = '192.0.2.1' }: Call = {},
  ) => {
    app ??= appOf(world, { native: [mountAuth], root: [mountOAuth] })
    const init = {
      method,
      headers: {
        ...(bearer && { Authorization: `Bearer ${bearer}` }),
        ...(session && { Cookie: `service_session=${session}` }),
        ...(csrf && { 'X-CSRF-Token': csrf }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }
    const answer = await app.request(origin + path, init, { incoming: { socket: { remoteAddress: ip } } })
    const text = await answer.text()
    const json = text
      ? (JSON.parse(text) as Record<string, unknown> & { errors?: { field: string }[] })
      : undefined
    return { status: answer.status, headers: answer.headers, json, text }
  }
}
