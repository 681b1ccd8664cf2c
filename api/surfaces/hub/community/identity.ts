import type { Context } from 'hono'
import { requireUser, type UserActor } from '../../../core/access/index.ts'
import type { Env } from '../../../core/http/env.ts'
import { avatarPath, findUserById, organisationsOf } from '../../../rooms/namespaces/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { hubId, hubTime } from '../wire/params.ts'

/** `role` of a token on the wire: fenced ones are `fineGrained`; clients know no `admin` (hub-wire.md §11.1). */
function tokenRole({ auth }: UserActor): 'read' | 'write' | 'fineGrained' {
  if (auth.kind === 'session') return 'write'
  if (auth.fence) return 'fineGrained'
  return auth.scopes.includes('write') || auth.scopes.includes('admin') ? 'write' : 'read'
}

/** `GET /api/whoami-v2`: the identity behind the credentials, as every login of a hub client asks for it. */
export async function whoAmI(c: Context<Env>): Promise<Response> {
  const { ctx } = c.var
  const actor = requireUser(ctx.actor)
  const [user, orgs] = await Promise.all([findUserById(ctx.db, actor.id), organisationsOf(ctx.db, actor.id)])
  if (!user) throw new Problem('bad-credentials')
  const { auth } = actor
  return c.json({
    type: 'user',
    id: hubId(user.id),
    name: user.username,
    fullname: user.display_name,
    ...(user.email === null ? {} : { email: user.email }),
    emailVerified: user.email_verified,
    isPro: false,
    canPay: false,
    avatarUrl: ctx.origin.baseUrl + avatarPath(user.username),
    periodEnd: null,
    billingMode: 'postpaid',
    orgs: orgs.map((org) => ({
      type: 'org',
      id: hubId(org.id),
      name: org.ns,
      fullname: org.display_name,
      email: null,
      canPay: false,
      isEnterprise: false,
      avatarUrl: ctx.origin.baseUrl + avatarPath(org.ns),
      periodEnd: null,
      roleInOrg: org.role,
    })),
    auth: {
      type: 'access_token',
      accessToken: {
        displayName: auth.kind === 'token' ? auth.tokenName : 'web session',
        role: tokenRole(actor),
        createdAt: hubTime(auth.kind === 'token' ? auth.createdAt : user.created_at),
      },
    },
  })
}
