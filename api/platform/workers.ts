import { fork, type ChildProcess, type ForkOptions } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Worker, type ResourceLimits } from 'node:worker_threads'

/*
 * Starts what a `<name>.worker.ts` holds, named as `new URL('./<name>.worker.ts', import.meta.url)` by its starter.
 * In the built server that address names the worker's own bundle; source files need a loader on Node 20.
 */

const isSource = (entry: URL) => entry.pathname.endsWith('.ts')

/**
 * A thread that sees nothing of the environment. `workerData` is what it finds under that name; beyond `limits` it ends
 * with an error of its own, and the process lives on.
 */
export function startThread(entry: URL, workerData?: unknown, limits: ResourceLimits = {}): Worker {
  const options = { env: {}, workerData, resourceLimits: limits }
  if (!isSource(entry)) return new Worker(entry, options)
  // `--import tsx` gives the loader to processes alone.
  const load = `import('tsx/esm/api').then(({ register }) => (register(), import(${JSON.stringify(entry.href)})))`
  return new Worker(load, { ...options, eval: true })
}

/** A process that is talked to by messages; only what it says on stderr is passed on. */
export function startProcess(
  entry: URL,
  args: string[] = [],
  { heapMb, ...options }: Pick<ForkOptions, 'env' | 'signal'> & { heapMb?: number } = {},
): ChildProcess {
  const heap = heapMb === undefined ? [] : [`--max-old-space-size=${heapMb}`]
  return fork(fileURLToPath(entry), args, {
    ...options,
    execArgv: [...heap, ...(isSource(entry) ? ['--import', 'tsx'] : [])],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}
