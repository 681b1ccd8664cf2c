import type { Context } from 'hono'
import type { App, Env } from '../../core/http/env.ts'
import { isHead } from '../../core/http/head.ts'
import { headerOf } from '../../core/http/header.ts'
import type { ErrorSurface } from '../../core/http/surface.ts'
import { Problem } from '../../platform/problems/index.ts'
import { signInByKey } from '../../rooms/auth/index.ts'
import { builtBlob, describeTag, keepBlobs, NoSuchTag } from '../../rooms/quants/index.ts'
import { countFetch, requireRepo, type RepoAddress } from '../../rooms/repos/index.ts'
import { isRegistryPath, registryBase, tokenPath } from './address.ts'
import { sendRepoBlob } from './blobs.ts'
import { registryError } from './errors.ts'
import { identifyPuller } from './identify.ts'
import { configBlob, manifestText, manifestType } from './manifest.ts'

/** The registry that `ollama` pulls from and llama.cpp's `-hf` asks for files (indexing.md §6). */
export const ollamaSurface: ErrorSurface = {
  owns: isRegistryPath,
  render: registryError,
  identifiesItself: true,
}

const addressOf = (c: Context<Env>): RepoAddress => ({
  type: 'model',
  ns: c.req.param('ns') ?? '',
  name: c.req.param('name') ?? '',
})

async function sendManifest(c: Context<Env>, tag: string): Promise<Response> {
  const { ctx } = c.var
  const repo = await requireRepo(ctx, addressOf(c), 'repo.files')
  const isLlama = ctx.origin.userAgent.startsWith('llama-cpp')
  try {
    const contents = await describeTag(ctx, repo, tag, { allowsShards: isLlama })
    const config = configBlob(contents)
    await keepBlobs(ctx, repo, [config])
    const text = manifestText(contents, config, isLlama)
    if (!isHead(c)) countFetch(ctx, repo, { of: 'everything', bytes: 0 })
    return c.body(text, 200, {
      'Content-Type': manifestType,
      'Docker-Content-Digest': `sha256:${builtBlob(text).sha256}`,
      'Content-Length': String(Buffer.byteLength(text)),
      Vary: 'User-Agent',
      'Cache-Control': 'private, no-store',
    })
  } catch (error) {
    // ollama prints the body of a 400, and of a 404 no more than "file does not exist".
    if (error instanceof NoSuchTag) throw new Problem('invalid-request', { detail: error.message })
    throw error
  }
}

/** The query as it was sent: the signature covers every byte of it. */
const rawQuery = (url: string) => (url.includes('?') ? url.slice(url.indexOf('?')) : '')

/** Mounts the registry at the root. */
export function mountOllama(app: App): void {
  app.on(['POST', 'PUT', 'PATCH', 'DELETE'], [registryBase, `${registryBase}/*`], (c) =>
    c.json({ error: 'This server takes no pushes by ollama. Upload the GGUF file with hf upload.' }, 405, {
      Allow: 'GET, HEAD',
    }),
  )
  app.get(tokenPath, async (c) => {
    const { ctx } = c.var
    const address = `${ctx.config.server.public_url}${tokenPath}${rawQuery(c.req.url)}`
    const token = await signInByKey(ctx, headerOf(c, 'authorization') ?? '', address)
    return c.json({ token }, 200, { 'Cache-Control': 'no-store' })
  })
  app.use(`${registryBase}/*`, identifyPuller)
  for (const path of [registryBase, `${registryBase}/`]) app.get(path, (c) => c.json({}))
  const repo = `${registryBase}/:ns/:name`
  app.get(`${repo}/manifests/:tag`, (c) => sendManifest(c, c.req.param('tag')))
  app.get(`${repo}/blobs/:digest{sha256:[0-9a-f]{64}}`, (c) =>
    sendRepoBlob(c, addressOf(c), c.req.param('digest').slice('sha256:'.length)),
  )
  app.get(`${registryBase}/*`, () => {
    throw new Problem('not-found')
  })
}
