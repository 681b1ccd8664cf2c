import { createClient, type Fetch } from '../../shared/client.ts'
import { isLeftAlone } from './activity.ts'

let csrfToken: string | undefined

/** Nothing that is read takes as long; a merge or a commit of a large repo may take minutes. */
const deadlinesMs = { read: 60_000, change: 600_000 }

/** Asks the server, and fails when it takes the request and never answers it. */
export const fetchInTime: Fetch = (url, init = {}) => {
  const late = AbortSignal.timeout(init.method === 'GET' ? deadlinesMs.read : deadlinesMs.change)
  const headers = isLeftAlone() ? { ...init.headers, 'x-arsenal-background': '1' } : init.headers
  return fetch(url, {
    ...init,
    ...(headers && { headers }),
    signal: init.signal ? AbortSignal.any([init.signal, late]) : late,
  })
}

/** The one client of the page; the session cookie identifies the person. */
export const api = createClient({ csrfToken: () => csrfToken, fetch: fetchInTime })

/** Keeps the CSRF token that `Me` carries, for every later state change. */
export function setCsrfToken(token: string | undefined): void {
  csrfToken = token
}

/** Headers that a byte transfer to our own origin needs besides the cookie. */
export function transferHeaders(): Record<string, string> {
  return csrfToken ? { 'x-csrf-token': csrfToken } : {}
}
