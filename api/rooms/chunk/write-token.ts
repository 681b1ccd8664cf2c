import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { requireUser } from '../../core/access/index.ts'
import { signerOf, type Signer } from '../auth/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { Problem } from '../../platform/problems/index.ts'
import { casUrlOf } from './cas-url.ts'

const purpose = 'xet-write-token'
const prefix = 'xw1.'

/** What a write token says, short since it travels with every chunk container (chunk-upload.md §3). */
const Payload = z.object({
  /** User, the token or the session they used, and repo, by id. */
  u: z.string(),
  t: z.string().optional(),
  se: z.string().optional(),
  r: z.string(),
  /** The revision they named. */
  v: z.string().optional(),
  /** 1: for a pull request. */
  pr: z.literal([0, 1]),
  s: z.literal('w'),
  /** Seconds since 1970. */
  iat: z.int(),
  exp: z.int(),
  j: z.string(),
})

/** A write token as clients are given it. */
export interface IssuedToken {
  accessToken: string
  /** Seconds since 1970. */
  exp: number
  casUrl: string
}

/** What a write token lets its bearer do, if they still may. */
export interface WriteToken extends Signer {
  repoId: string
  /** For a pull request, for which reading the repo is enough. */
  isPull: boolean
}

/** A token for sending chunks to the repo, in the caller's name. The caller has been authorised for it. */
export function mintWriteToken(
  ctx: Pick<Ctx, 'actor' | 'config' | 'secrets' | 'now'>,
  { repoId, revision, isPull }: { repoId: string; revision?: string | undefined; isPull: boolean },
): IssuedToken {
  const { userId, tokenId, sessionId } = signerOf(requireUser(ctx.actor))
  const nowMs = ctx.now().getTime()
  const payload: z.infer<typeof Payload> = {
    u: userId,
    ...(tokenId === undefined ? {} : { t: tokenId }),
    ...(sessionId === undefined ? {} : { se: sessionId }),
    r: repoId,
    ...(revision === undefined ? {} : { v: revision }),
    pr: isPull ? 1 : 0,
    s: 'w',
    iat: Math.floor(nowMs / 1000),
    exp: Math.floor((nowMs + ctx.config.chunk.token_ttl) / 1000),
    j: randomBytes(9).toString('base64url'),
  }
  const accessToken = prefix + ctx.secrets.signToken(purpose, payload)
  return { accessToken, exp: payload.exp, casUrl: casUrlOf(ctx, userId) }
}

/** What a token says that we made. Problems: `bad-credentials`, `token-expired`. Touches no store. */
export function openWriteToken({ secrets, now }: Pick<Ctx, 'secrets' | 'now'>, text: string): WriteToken {
  const signed = text.startsWith(prefix) ? secrets.openToken(purpose, text.slice(prefix.length)) : undefined
  if (signed === undefined)
    throw new Problem('bad-credentials', { detail: 'This is no write token of this server.' })
  const { u, t, se, r, pr, exp } = Payload.parse(signed)
  if (exp * 1000 <= now().getTime())
    throw new Problem('token-expired', { detail: 'The write token has expired; ask for a new one.' })
  return { userId: u, tokenId: t, sessionId: se, repoId: r, isPull: pr === 1 }
}

/** The same for clients that read headers: huggingface_hub below 1.20 here, others in the answer of an LFS batch. */
export const tokenHeaders = ({ accessToken, exp, casUrl }: IssuedToken) => ({
  'X-Xet-Cas-Url': casUrl,
  'X-Xet-Access-Token': accessToken,
  'X-Xet-Token-Expiration': String(exp),
})
