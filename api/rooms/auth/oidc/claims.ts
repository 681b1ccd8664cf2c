import { z } from 'zod'
import type { Ctx } from '../../../core/ctx.ts'
import type { Metadata } from './discovery.ts'
import { readUserinfo } from './exchange.ts'
import type { Provider } from './provider.ts'
import type { Claims } from './tokens.ts'

/** Who a provider says somebody is, in our words. */
export interface Person {
  subject: string
  /** As the provider has it; may be no valid name here. */
  username: string | undefined
  displayName: string | undefined
  email: string | undefined
  isEmailVerified: boolean
  groups: ReadonlySet<string>
  /** The provider's own session. */
  sid: string | undefined
}

const Email = z.email().max(254)

/** The value at a dotted path, such as `realm_access.roles`. A claim whose own name has dots is found first. */
function at(claims: Record<string, unknown>, path: string): unknown {
  if (path === '') return undefined
  if (Object.hasOwn(claims, path)) return claims[path]
  let value: unknown = claims
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}

/** Text on one line; Postgres holds no NUL, and no list shows a line break. */
function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.replaceAll(/\p{Cc}+/gu, ' ').trim() : ''
  return text === '' ? undefined : text
}

/** Groups come as an array, or as text with spaces or commas between them. */
function groupsOf(value: unknown): ReadonlySet<string> {
  const list =
    typeof value === 'string' ? value.split(/[\s,]+/) : Array.isArray(value) ? (value as unknown[]) : []
  return new Set(list.filter((each) => typeof each === 'string' && each !== '') as string[])
}

/**
 * Reads who signed in from the ID token, and what it lacks from userinfo. Throws {@link Refused} when userinfo cannot be
 * read or is about somebody else.
 */
export async function readPerson(
  ctx: Ctx,
  provider: Provider,
  { userinfo_endpoint: url }: Metadata,
  { claims, accessToken }: { claims: Claims; accessToken: string | undefined },
): Promise<Person> {
  const { username, email, name, groups } = provider.claims
  const isMapped = provider.admin_groups.length > 0 || provider.org_mappings.length > 0
  const wanted = [username, email, name, ...(isMapped ? [groups] : [])]
  const lacks = wanted.some((path) => at(claims, path) === undefined)
  const more =
    lacks && url !== undefined && accessToken !== undefined
      ? await readUserinfo(ctx, provider, { url, accessToken, subject: claims.sub })
      : {}
  const value = (path: string) => at(claims, path) ?? at(more, path)
  const address = textOf(value(email))
  // A statement about an address counts beside that address alone.
  const beside: Record<string, unknown> = at(claims, email) === undefined ? more : claims
  const isVerified = beside['email_verified'] === true || beside['email_verified'] === 'true'
  return {
    subject: claims.sub,
    username: textOf(value(username)),
    displayName: textOf(value(name)),
    email: Email.safeParse(address).success ? address : undefined,
    isEmailVerified: isVerified,
    groups: groupsOf(value(groups)),
    sid: textOf(claims['sid']),
  }
}
