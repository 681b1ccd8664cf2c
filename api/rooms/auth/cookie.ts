import type { Config } from '../../platform/config/index.ts'

/** Name of the session cookie. */
export const sessionCookieName = 'service_session'

function attributes({ server }: Config): string {
  const secure = server.public_url.startsWith('https:') ? '; Secure' : ''
  return `; Path=/; HttpOnly; SameSite=Lax${secure}`
}

/** `Set-Cookie` of a fresh session, lasting as long as the session does. */
export function sessionCookie(config: Config, secret: string): string {
  const maxAgeS = Math.floor(config.security.session_ttl / 1000)
  return `${sessionCookieName}=${secret}; Max-Age=${maxAgeS}${attributes(config)}`
}

/** `Set-Cookie` that makes a browser forget a session that has ended. */
export function clearedSessionCookie(config: Config): string {
  return `${sessionCookieName}=; Max-Age=0${attributes(config)}`
}
