export { actorOfBasic, actorOfSession, actorOfToken } from './principals.ts'
export { clearedSessionCookie, sessionCookieName } from './cookie.ts'
