import type { Problem } from '../problems/index.ts'

/** How much a queue takes. */
export interface QueueLimits {
  /** Pieces of work under way at once. */
  atOnce: number
  /** Pieces of work that wait. Beyond, one of them is refused. */
  maxWaiting: number
  /** How long one waits before it is refused. */
  maxWaitMs: number
}

interface Options extends QueueLimits {
  /** What a refused caller gets. Called once for each refusal. */
  refusal: () => Problem
}

interface Waiter {
  begin: () => void
  refuse: () => void
}

/** How much work of one caller begins at once in a turn of the event loop: 8 lists of 50 repos take some 16 ms. */
const AT_ONCE_PER_TURN = 8

/** How many waiters are refused in a turn of the event loop: 1000 refusals at once kept health checks waiting for 0.9 s. */
const REFUSED_PER_TURN = 8

/** A caller with work that is under way or waits. */
export interface QueueCaller {
  readonly key: string
  readonly isAnonymous: boolean
  /** How much of it is under way. */
  held: number
  /** How much of that began in this turn of the event loop. */
  begun: number
  waiting: Waiter[]
}

/**
 * Bounds how much work runs at once and how much waits, and shares both between callers:
 *
 * - A caller begins while it holds fewer places than are free. So one alone has half of them, two have a third each, and a
 *   newcomer always finds one (Choudhury and Hahne, Dynamic Queue Length Thresholds, 1998). Anonymous callers together
 *   leave an eighth free.
 * - Callers that wait take turns, one piece of work each.
 * - In each turn of the event loop a caller begins 8 pieces of work at once, and one that waits begins. Work that answers at once, as with SQLite, would otherwise follow
 *   itself within one turn: lists for 1000 connections of one caller took 2 s, and Node accepts one connection a turn.
 *   For the same reason, 8 that have waited too long are refused in a turn.
 * - When too much waits, the caller with most of it loses the newest; anonymous callers lose theirs first.
 */
export class FairQueue {
  readonly #limits: Options
  readonly #kept: number
  readonly #callers = new Map<string, QueueCaller>()
  /** Callers with work that waits, in the order of their turns. */
  readonly #turns = new Set<QueueCaller>()
  #held = 0
  #waiting = 0
  #ended: QueueCaller[] = []
  /** Who began work at once in this turn of the event loop. */
  #beginners: QueueCaller[] = []
  #isTurnDue = false
  /** Work that has waited too long. */
  readonly #expired = new Set<Waiter>()

  constructor(limits: Options) {
    this.#limits = limits
    this.#kept = Math.floor(limits.atOnce / 8)
  }

  get held(): number {
    return this.#held
  }

  get waiting(): number {
    return this.#waiting
  }

  /**
   * Begins at once where that is allowed and nothing of the caller's waits. The caller that it answers goes to `leave` at the
   * end of the work.
   */
  enter(key: string, isAnonymous: boolean): QueueCaller | undefined {
    const caller = this.#callerOf(key, isAnonymous)
    if (caller.waiting.length > 0 || caller.begun >= AT_ONCE_PER_TURN || !this.#mayBegin(caller))
      return undefined
    this.#begin(caller)
    caller.begun++
    this.#beginners.push(caller)
    this.#planTurn()
    return caller
  }

  /** Waits for a turn after `enter` found none. Rejects with the refusal, or with the signal's reason once it aborts. */
  wait(key: string, isAnonymous: boolean, signal: AbortSignal): Promise<QueueCaller> {
    const caller = this.#callerOf(key, isAnonymous)
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error)
      if (this.#waiting >= this.#limits.maxWaiting) {
        const loser = this.#mostWaiting(caller)
        if (loser === caller) return reject(this.#limits.refusal())
        loser.waiting.at(-1)?.refuse()
      }
      const end = () => {
        clearTimeout(timer)
        this.#expired.delete(waiter)
        signal.removeEventListener('abort', abort)
        this.#forget(caller, waiter)
      }
      const waiter = {
        begin: () => {
          end()
          resolve(caller)
        },
        refuse: () => {
          end()
          reject(this.#limits.refusal())
        },
      }
      const abort = () => {
        end()
        reject(signal.reason as Error)
      }
      const timer = setTimeout(() => this.#expire(waiter), this.#limits.maxWaitMs)
      signal.addEventListener('abort', abort)
      caller.waiting.push(waiter)
      this.#callers.set(key, caller)
      this.#turns.add(caller)
      this.#waiting++
    })
  }

  /** Ends work that has begun. Its place is free in the next turn of the event loop. */
  leave(caller: QueueCaller): void {
    this.#ended.push(caller)
    this.#planTurn()
  }

  #planTurn(): void {
    if (this.#isTurnDue) return
    this.#isTurnDue = true
    setImmediate(() => {
      this.#isTurnDue = false
      for (const caller of this.#beginners.splice(0)) caller.begun = 0
      this.#freePlaces()
      if (this.#beginNext()) this.#planTurn()
    })
  }

  #expire(waiter: Waiter): void {
    this.#expired.add(waiter)
    if (this.#expired.size === 1) setImmediate(() => this.#refuseExpired())
  }

  #refuseExpired(): void {
    for (const waiter of [...this.#expired].slice(0, REFUSED_PER_TURN)) waiter.refuse()
    if (this.#expired.size > 0) setImmediate(() => this.#refuseExpired())
  }

  #freePlaces(): void {
    for (const caller of this.#ended.splice(0)) {
      this.#held--
      caller.held--
      this.#dropIdle(caller)
    }
  }

  #beginNext(): boolean {
    for (const next of this.#turns) {
      if (!this.#mayBegin(next)) continue
      this.#begin(next)
      // Its next turn comes after those of all others: a Set is in the order of insertion.
      this.#turns.delete(next)
      this.#turns.add(next)
      next.waiting[0]?.begin()
      return true
    }
    return false
  }

  #callerOf(key: string, isAnonymous: boolean): QueueCaller {
    return this.#callers.get(key) ?? { key, isAnonymous, held: 0, begun: 0, waiting: [] }
  }

  #mayBegin({ held, isAnonymous }: QueueCaller): boolean {
    return held < this.#limits.atOnce - this.#held - (isAnonymous ? this.#kept : 0)
  }

  #begin(caller: QueueCaller): void {
    if (caller.held === 0) this.#callers.set(caller.key, caller)
    caller.held++
    this.#held++
  }

  /** Of anonymous callers, where there are any, the one with most that waits; of equals the newcomer, who asks for one more. */
  #mostWaiting(newcomer: QueueCaller): QueueCaller {
    let loser = newcomer
    let most = newcomer.waiting.length + 1
    for (const caller of this.#turns) {
      const isWorse =
        caller.isAnonymous === loser.isAnonymous ? caller.waiting.length > most : caller.isAnonymous
      if (!isWorse) continue
      loser = caller
      most = caller.waiting.length
    }
    return loser
  }

  #forget(caller: QueueCaller, waiter: Waiter): void {
    caller.waiting = caller.waiting.filter((other) => other !== waiter)
    this.#waiting--
    if (caller.waiting.length === 0) this.#turns.delete(caller)
    this.#dropIdle(caller)
  }

  #dropIdle(caller: QueueCaller): void {
    if (caller.held === 0 && caller.waiting.length === 0) this.#callers.delete(caller.key)
  }
}
