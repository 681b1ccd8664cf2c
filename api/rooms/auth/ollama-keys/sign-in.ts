import { createHash } from 'node:crypto'
import { eq, lt } from 'drizzle-orm'
import { z } from 'zod'
import type { UserActor } from '../../../core/access/index.ts'
import type { Ctx, Deps } from '../../../core/ctx.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { UniqueViolation } from '../../../stores/db/index.ts'
import { actorOfSigner } from '../principals.ts'
import { hasSigned, readWireKey } from './public-key.ts'

// indexing.md §6
const clockSlackMs = 10 * 60_000
const tokenTtlMs = 60 * 60_000

const hexOfEmpty = createHash('sha256').digest('hex')
/** What stands for the empty body in the signed text. */
const emptyBody = Buffer.from(hexOfEmpty).toString('base64')

const refused = (detail: string) => new Problem('bad-credentials', { detail })

/**
 * Signs a saved key in: answers a token that reads in its owner's name for one hour, while the key stays saved. The
 * signature must cover `address`, which is ours and never the one the request claims: else another registry could pass a
 * signature on to us. Problem `bad-credentials` says what is wrong.
 *
 * @param authorization `{key}:{signature}`, both in base64
 * @param address the full address that was asked, query and all
 */
export async function signInByKey(ctx: Ctx, authorization: string, address: string): Promise<string> {
  const [, wire = '', signature = ''] =
    /^([A-Za-z0-9+/=]{1,200}):([A-Za-z0-9+/=]{1,200})$/.exec(authorization.trim()) ?? []
  const key = readWireKey(wire)
  if (!key || !hasSigned(key, `GET,${address},${emptyBody}`, signature))
    throw refused('The signature does not fit. Check that the server address is the one that was asked.')
  const query = new URL(address).searchParams
  const ts = Number(query.get('ts')) * 1000
  const now = ctx.now()
  if (!(Math.abs(now.getTime() - ts) <= clockSlackMs))
    throw refused('The time of the request is off by more than ten minutes. Check the clock.')
  const nonce = query.get('nonce') ?? ''
  if (nonce.length < 8 || nonce.length > 200) throw refused('The nonce must have 8 to 200 characters.')
  const { id, user_id } = await useKey(ctx, key.fingerprint, nonce)
  await actorOfKey(ctx, { keyId: id, userId: user_id })
  const ends = new Date(now.getTime() + tokenTtlMs)
  return ctx.secrets.signToken(purpose, { keyId: id, userId: user_id, ends: ends.toISOString() })
}

/** Notes the use of the key, and the nonce, which nothing uses twice while its time would still be good. */
async function useKey(ctx: Ctx, fingerprint: string, nonce: string) {
  const now = ctx.now()
  try {
    return await ctx.db.write(async ({ q, t: { ollama_keys: keys, ollama_nonces: nonces } }) => {
      const [row] = await q
        .update(keys)
        .set({ last_used_at: now })
        .where(eq(keys.fingerprint, fingerprint))
        .returning({ id: keys.id, user_id: keys.user_id })
      if (!row) throw refused(`key ${fingerprint} is not saved`)
      await q.delete(nonces).where(lt(nonces.expires_at, now))
      const digest = createHash('sha256').update(`${fingerprint} ${nonce}`).digest('hex')
      await q.insert(nonces).values({ digest, expires_at: new Date(now.getTime() + 2 * clockSlackMs) })
      return row
    })
  } catch (error) {
    if (error instanceof UniqueViolation) throw refused('The nonce was used before. Ask again.')
    throw error
  }
}

const purpose = 'ollama'
const Payload = z.object({ keyId: z.string(), userId: z.string(), ends: z.iso.datetime() })

/** Whom a token of `signInByKey` stands for; `undefined` for other texts. Problems `bad-credentials`, `token-expired`. */
export async function actorOfKeyToken(deps: Deps, token: string): Promise<UserActor | undefined> {
  const payload = Payload.safeParse(deps.secrets.openToken(purpose, token)).data
  if (!payload) return undefined
  if (new Date(payload.ends) <= deps.now()) throw new Problem('token-expired')
  return actorOfKey(deps, payload)
}

const actorOfKey = (deps: Deps, { keyId, userId }: { keyId: string; userId: string }) =>
  actorOfSigner(deps, { userId, keyId })
