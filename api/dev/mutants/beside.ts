/** Does `work` for each item in order, as many at a time as there are `workers`; each worker has one item at a time. */
export async function eachBeside<W, T>(
  workers: W[],
  items: T[],
  work: (worker: W, item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values()
  await Promise.all(
    workers.map(async (worker) => {
      for (const item of queue) await work(worker, item)
    }),
  )
}
