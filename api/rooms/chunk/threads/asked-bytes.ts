/** Asks the side that began the task. */
export type Ask = <A>(question: string, argument?: unknown) => Promise<A>

/**
 * The bytes that the other side lends for a question; with the next ask it hears that a piece is done with. One piece is here at
 * a time: a thread has several tasks, and a second piece at each of 16 took 64 MiB and saved nothing.
 */
export async function* askedBytes(ask: Ask, question: string): AsyncGenerator<Uint8Array> {
  const next = (isOneDone: boolean) => ask<Uint8Array | undefined>(question, isOneDone)
  for (let piece = await next(false); piece; piece = await next(true)) yield piece
}
