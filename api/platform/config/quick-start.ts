import { join, resolve } from 'node:path'

/** The values under every other source: reads what those say, answers key → value. */
export type LowestLayer = (get: (key: string) => unknown) => Record<string, string>

/**
 * Values with which Arsenal starts from a clean clone: everything below one folder, no other service, no root.
 * They follow `server.data_dir` and the port of `server.listen` where those are set.
 */
export function quickStart(folder: string): LowestLayer {
  return (get) => {
    const dataDir = resolve(String(get('server.data_dir') ?? folder))
    const port = /:(\d+)$/.exec(String(get('server.listen') ?? ''))?.[1] ?? '8080'
    return {
      'server.data_dir': dataDir,
      'server.public_url': `http://localhost:${port}`,
      'database.dsn': join(dataDir, 'service.db'),
      'storage.fs.path': join(dataDir, 'blobs'),
      'git.cache_dir': join(dataDir, 'cache', 'git'),
    }
  }
}
