import type { Context } from 'hono'
import type { Actor } from '../../core/access/index.ts'
import type { Env } from '../../core/http/env.ts'
import { Problem } from '../../platform/problems/index.ts'
import { actorOfSigner, signerOf } from '../../rooms/auth/index.ts'

/** With the two seconds for which credentials are remembered (`stores/db/memo.ts`), a request ends within five. */
const EVERY_MS = 2000

/** In whose name the request goes on: that of a signed address, or the caller. */
const actorOf = (c: Context<Env>): Actor => c.get('signer') ?? c.get('ctx').actor

/**
 * Ends requests that are under way when their caller is disabled, their token revoked or their session ended: uploads,
 * downloads and clones can take hours. Only requests that two looks have met are checked, so short ones cost nothing.
 * A token that expires during a request does not end it.
 */
export class AuthorityWatch {
  readonly #open = new Set<Context<Env>>()
  readonly #met = new WeakSet<Context<Env>>()
  #timer: NodeJS.Timeout | undefined

  enter(c: Context<Env>): void {
    this.#open.add(c)
    if (this.#timer === undefined) this.#wait()
  }

  leave(c: Context<Env>): void {
    this.#open.delete(c)
  }

  #wait(): void {
    this.#timer = setTimeout(() => void this.#look(), EVERY_MS).unref()
  }

  async #look(): Promise<void> {
    const long = [...this.#open].filter((c) => this.#met.has(c))
    for (const c of this.#open) this.#met.add(c)
    await Promise.all(long.map((c) => this.#check(c)))
    this.#timer = undefined
    if (this.#open.size > 0) this.#wait()
  }

  async #check(c: Context<Env>): Promise<void> {
    const ctx = c.get('ctx')
    const actor = actorOf(c)
    if (actor.kind !== 'user') return
    try {
      await actorOfSigner(ctx, signerOf(actor))
    } catch (error) {
      // What cannot be read now says nothing about the caller.
      if (!(error instanceof Problem) || error.code !== 'bad-credentials') return
      if (!this.#open.has(c)) return
      ctx.log.info(
        { user: actor.username, request_id: ctx.origin.requestId },
        'ended a request of a caller who lost access',
      )
      const outgoing = c.env?.outgoing
      // A reset discards what the kernel still has to send, up to 4 MiB (tcp(7), tcp_wmem); a slow reader takes seconds for it.
      outgoing?.socket?.resetAndDestroy()
      outgoing?.destroy()
    }
  }
}
