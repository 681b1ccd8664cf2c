import { authoriseProfile, policyOf } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { readPage, type Page } from '../../stores/db/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { findMember, findMembers, type Member } from './queries.ts'
import { requireOrg } from './require.ts'

/** One page of an organisation's members in name order. */
export async function listMembers(
  ctx: Ctx,
  ns: string,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<Page<Member, string>> {
  authoriseProfile(ctx.actor, ns, policyOf(ctx.config))
  const org = await requireOrg(ctx.db, ns)
  return readPage(
    limit,
    (count) => findMembers(ctx.db, org.id, { after, limit: count }),
    (member) => member.name_key,
  )
}

/** One member; Problem `not-found` for anybody who is none. */
export async function getMember(ctx: Ctx, ns: string, username: string): Promise<Member> {
  authoriseProfile(ctx.actor, ns, policyOf(ctx.config))
  const org = await requireOrg(ctx.db, ns)
  const member = await findMember(ctx.db, org.id, username)
  if (!member) throw new Problem('not-found', { detail: `${username} is no member of ${org.name}.` })
  return member
}
