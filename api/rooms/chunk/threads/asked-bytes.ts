/** Asks the side that began the task. */
export type Ask = <A>(question: string, argument?: unknown) => Promise<A>

/** Pieces at the task: one that it works on, one that waits. */
const AT_ONCE = 2

/** The bytes that the other side lends for a question; with the next ask it hears that a piece is done with. */
export async function* askedBytes(ask: Ask, question: string): AsyncGenerator<Uint8Array> {
  const coming: Promise<Uint8Array | undefined>[] = []
  const request = (isOneDone: boolean) => {
    const next = ask<Uint8Array | undefined>(question, isOneDone)
    // A caller that breaks off does not need to hear that the task ended.
    next.catch(() => undefined)
    coming.push(next)
  }
  for (let i = 0; i < AT_ONCE; i++) request(false)
  for (let piece = await coming.shift(); piece; piece = await coming.shift()) {
    yield piece
    request(true)
  }
}
