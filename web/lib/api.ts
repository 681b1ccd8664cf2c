import { createClient } from '../../shared/client.ts'

let csrfToken: string | undefined

/** The one client of the page; the session cookie identifies the person. */
export const api = createClient({ csrfToken: () => csrfToken })

/** Keeps the CSRF token that `Me` carries, for every later state change. */
export function setCsrfToken(token: string | undefined): void {
  csrfToken = token
}

/** Headers that a byte transfer to our own origin needs besides the cookie. */
export function transferHeaders(): Record<string, string> {
  return csrfToken ? { 'x-csrf-token': csrfToken } : {}
}
