import { requireFresh, requireInstanceAdmin } from '../../../core/access/index.ts'
import { makeInvite, type Invite, type MadeLink } from '../../auth/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import {
  checkUsername,
  emailTaken,
  findNamespace,
  findUserByEmail,
  nameTaken,
} from '../../namespaces/index.ts'
import { invalidField } from '../../../platform/problems/index.ts'

/** What an invite promises, with fields left out or `undefined`. */
type Wanted = { [K in keyof Invite]?: Invite[K] | undefined }

/**
 * Makes an invite whose promises can be kept as of now. For instance admins. Problems: `invalid-name`, `name-taken`,
 * `email-taken`, `validation-failed` for an organisation that is not there, `fresh-sign-in-required` to invite an admin.
 */
export async function inviteUser(ctx: Ctx, wanted: Wanted): Promise<MadeLink> {
  requireInstanceAdmin(ctx.actor)
  if (wanted.is_admin) requireFresh(ctx.actor, ctx.now())
  const { username, email, orgs = [] } = wanted
  if (username !== undefined) {
    checkUsername('username', username)
    if (await findNamespace(ctx.db, username)) throw nameTaken('username')
  }
  if (email !== undefined && (await findUserByEmail(ctx.db, email))) throw emailTaken()
  for (const [i, { ns }] of orgs.entries()) {
    const found = await findNamespace(ctx.db, ns)
    if (found?.kind !== 'org')
      throw invalidField(`orgs.${i}.ns`, 'there is no organisation of this name', 'not-found')
  }
  const invite = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined))
  return makeInvite(ctx, invite)
}
