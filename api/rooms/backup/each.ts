/** Runs `work` on items, `atOnce` of them at the same time, in the order they come. The first failure ends it. */
export async function eachOf<T>(
  items: AsyncIterable<T> | Iterable<T>,
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>()
  try {
    for await (const item of items) {
      const turn = work(item).finally(() => running.delete(turn))
      // It is waited for below.
      turn.catch(() => undefined)
      running.add(turn)
      if (running.size >= atOnce) await Promise.race(running)
    }
    await Promise.all(running)
  } finally {
    await Promise.allSettled(running)
  }
}
