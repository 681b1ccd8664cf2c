// The JavaScript hub client, in every version the tests run.
import { join } from 'node:path'
import { must } from '../run.mjs'
import { cached } from './cache.mjs'
import { clientVersions } from './client-versions.mjs'

/** Answers version → entry point of `@huggingface/hub`, the newest last. */
export async function ensureNodeClients() {
  const entries = clientVersions('@huggingface/hub', 'compat-node').map(async (version) => {
    const folder = await cached(`huggingface-hub-js-${version}`, (made) =>
      must('npm', ['install', '--prefix', made, '--no-audit', '--no-fund', `@huggingface/hub@${version}`], {
        quiet: true,
      }),
    )
    return [version, join(folder, 'node_modules', '@huggingface', 'hub', 'dist', 'index.mjs')]
  })
  return Object.fromEntries(await Promise.all(entries))
}
