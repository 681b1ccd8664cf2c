import { z } from 'zod'
import type { Ctx } from '../../../core/ctx.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { digestOf, newSecret } from '../secrets.ts'

const lifeMs = 5 * 60_000
const context = 'passkey challenge'

const purposes = ['register', 'sign-in', 'second-factor', 'confirm'] as const

const Challenge = z.object({
  purpose: z.enum(purposes),
  nonce: z.string(),
  expiresAt: z.number(),
  /** For whom it is; a sign-in without a password says so only in its answer. */
  userId: z.string().optional(),
  sessionId: z.string().optional(),
  /** Of a second factor: which password was right, so that it ends with that one. */
  passwordTag: z.string().optional(),
})

/** What a challenge says, under seal: no other than this server reads or makes one, and none is stored before it is answered. */
export type Challenge = z.output<typeof Challenge>

/** A challenge for five minutes, as text. Browsers are sent its bytes in base64url. */
export function newChallenge(
  { secrets, now }: Pick<Ctx, 'secrets' | 'now'>,
  about: Omit<Challenge, 'nonce' | 'expiresAt'>,
): string {
  const challenge: Challenge = { ...about, nonce: newSecret(), expiresAt: now().getTime() + lifeMs }
  return secrets.seal(context, JSON.stringify(challenge))
}

/** What a challenge of ours says; nothing when it is for something else, altered or expired. */
export function openChallenge(
  { secrets, now }: Pick<Ctx, 'secrets' | 'now'>,
  purpose: Challenge['purpose'],
  sealed: string,
): Challenge | undefined {
  const text = secrets.open(context, sealed)
  if (text === undefined) return undefined
  const challenge = Challenge.parse(JSON.parse(text))
  return challenge.purpose === purpose && challenge.expiresAt > now().getTime() ? challenge : undefined
}

const ClientData = z.object({ challenge: z.string(), crossOrigin: z.boolean().optional() })

/** The challenge that a browser says it has answered (WebAuthn, `CollectedClientData`); nothing where it did so within another site. */
export function challengeIn(clientDataJson: string): { encoded: string; sealed: string } | undefined {
  try {
    const { data } = ClientData.safeParse(
      JSON.parse(Buffer.from(clientDataJson, 'base64url').toString('utf8')),
    )
    if (!data || data.crossOrigin) return undefined
    return { encoded: data.challenge, sealed: Buffer.from(data.challenge, 'base64url').toString('utf8') }
  } catch {
    return undefined
  }
}

/** Notes that a challenge was answered; false for one that was before. */
export async function answerOnce({ q, t }: Tx, sealed: string, expiresAt: number): Promise<boolean> {
  const { used_challenges: used } = t
  const added = await q
    .insert(used)
    .values({ digest: digestOf(sealed), expires_at: new Date(expiresAt) })
    .onConflictDoNothing()
    .returning({ digest: used.digest })
  return added.length === 1
}
