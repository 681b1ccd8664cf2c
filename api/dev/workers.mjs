// The workers of the server: entries of their own for a bundler, named by their starters as `new URL('./x.worker.ts', …)`.
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root } from './run.mjs'

/** Each `<name>.worker.ts` by its name. */
export function workers() {
  const found = readdirSync(join(root, 'api'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.worker.ts') && !file.includes('node_modules'))
    .map((file) => [basename(file, '.ts'), join(root, 'api', file)])
  return Object.fromEntries(found)
}

/**
 * Makes `new URL('./x.worker.ts', import.meta.url)` name the worker's bundle in `folder`: relative to the bundle that
 * starts it, or absolute.
 * @param {string} folder
 */
export function workerUrls(folder) {
  return {
    name: 'worker-urls',
    /** @param {string} code */
    transform(code) {
      if (!code.includes('.worker.ts')) return null
      const named = code.replace(
        /new URL\((['"])[./\w-]*?([\w-]+\.worker)\.ts\1,\s*import\.meta\.url\)/g,
        `new URL('${folder}/$2.js', import.meta.url)`,
      )
      return { code: named, map: null }
    },
  }
}
