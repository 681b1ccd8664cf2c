/** Who waits for a piece of work: a request, a job, a check. */
export interface Caller {
  /** Aborts when they wait no longer. May be made at its first use, so read it where it is needed. */
  readonly signal?: AbortSignal | undefined
}

/** How long a loop may run before others get their turn. Twenty loops at once then keep one another waiting 100 ms. */
const TURN_MS = 5

/** While connections arrive, they and the loops that wait take turns of this length. */
const SHARE_MS = 5

/** What waits for its turn in this thread, by whose it is, in the order of their next turns. */
const waiting = new Map<unknown, (() => void)[]>()
let hasArrival = false
/** When the share of arrivals began. That of the loops follows it. */
let sharedAt = 0

/**
 * Says that a connection has arrived. Node accepts one in each round of the event loop (libuv 1.46), so half of the time rounds
 * are kept short until all have come: a health check behind 900 others waited for the work of all of them, 1.8 s of processor time.
 */
export function noteArrival(): void {
  hasArrival = true
}

/** Gives one of those who wait its turn, then the event loop a round: what arrives in between waits for one, not for all. */
function giveTurn(): void {
  const now = performance.now()
  if (now - sharedAt > 2 * SHARE_MS) sharedAt = now
  if (!hasArrival || now - sharedAt > SHARE_MS) beginNext()
  hasArrival = false
  if (waiting.size > 0) setImmediate(giveTurn)
}

function beginNext(): void {
  for (const [owner, own] of waiting) {
    // A Map is in the order of insertion: the owner's next turn comes after those of all others.
    waiting.delete(owner)
    if (own.length > 1) waiting.set(owner, own)
    own.shift()?.()
    return
  }
}

/** The next turn of `owner`, behind what waits of theirs; owners take turns, one each. */
function nextTurn(owner: unknown): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.size === 0) setImmediate(giveTurn)
    const own = waiting.get(owner)
    if (own) own.push(resolve)
    else waiting.set(owner, [resolve])
  })
}

/** How many requests begin at once in each round of the event loop. */
const AT_ONCE_PER_ROUND = 8

/** How many requests began at once in this round. */
let begun = 0

/**
 * Waits until a request of `caller` may begin: `undefined` where it may at once. A burst of them begins one in each round, so
 * that it delays what others ask for by one of them: in one line with 1000 lists, two reads of another caller took 0.5 s, and
 * 10 ms in turns. While connections arrive, all requests wait for a round.
 */
export function turnToBegin(caller: string): Promise<void> | undefined {
  if (hasArrival || waiting.size > 0 || begun >= AT_ONCE_PER_ROUND) return nextTurn(caller)
  if (begun++ === 0) setImmediate(() => (begun = 0))
  return undefined
}

/**
 * Shares the event loop between long loops and everyone else: `if (turns.isOver) await turns.next()` in each round, or
 * `await turns.breathe()` where the round awaits something anyway. Rounds that find everything in memory never leave the
 * thread by themselves.
 */
export class Turns {
  readonly #caller: Caller | undefined
  #began = performance.now()

  /** With a caller, `next` throws the reason of their signal once it aborts. */
  constructor(caller?: Caller) {
    this.#caller = caller
  }

  get isOver(): boolean {
    return performance.now() - this.#began > TURN_MS
  }

  /** Lets others have their turn when this one is over. */
  async breathe(): Promise<void> {
    if (this.isOver) await this.next()
  }

  async next(): Promise<void> {
    await nextTurn(this)
    this.#caller?.signal?.throwIfAborted()
    this.#began = performance.now()
  }
}
