/** Runs `work` on items, `atOnce` of them at the same time, begun in the order they come. The first failure ends it. */
export async function eachOf<T>(
  items: AsyncIterable<T> | Iterable<T>,
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>()
  const failures: unknown[] = []
  for await (const item of items) {
    const turn = work(item)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => running.delete(turn))
    running.add(turn)
    if (running.size >= atOnce) await Promise.race(running)
    if (failures.length > 0) break
  }
  await Promise.all(running)
  if (failures.length > 0) throw failures[0]
}
