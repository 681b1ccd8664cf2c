import { preupload } from '../content/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { declaredLength, requestBytes } from '../../core/http/bytes.ts'
import type { App } from '../../core/http/env.ts'
import { Problem } from '../../platform/problems/index.ts'
import { repoTypeOf, type RepoAddress } from '../repos/index.ts'
import type { RepoTypePath } from '../../../shared/vocabulary.ts'
import { untilVerified } from './complete/complete-bucket.ts'
import { completeUpload } from './complete/complete.ts'
import { isPullRef, planUploads, requireUploadTarget } from './plan.ts'
import { putPart } from './receive/put-part.ts'
import type { UploadRow } from './queries.ts'
import { receivedParts } from './receive/received-parts.ts'
import { requireUpload } from './require-upload.ts'
import * as routes from './routes.ts'
import { planView, uploadView } from './view.ts'

const addressOf = ({ type, ns, name }: { type: RepoTypePath; ns: string; name: string }): RepoAddress => ({
  type: repoTypeOf(type),
  ns,
  name,
})

const statusOf = async (ctx: Ctx, upload: UploadRow) => uploadView(upload, await receivedParts(ctx, upload))

/** Uploads of the native API. */
export function mountUploads(app: App): void {
  app.openapi(routes.planUploads, async (c) => {
    const { ctx } = c.var
    const { files, revision, create_pull_request } = c.req.valid('json')
    const isPull = create_pull_request || isPullRef(revision ?? '')
    const address = addressOf(c.req.valid('param'))
    const repo = await requireUploadTarget(ctx, address, isPull)
    const sized = files.map(({ path, size }) => ({ path, sizeBytes: size }))
    const advice = await preupload(ctx, address, {
      files: sized,
      isPull,
      ...(revision ? { revision } : {}),
    })
    const wanted = files.map((file, i) => ({
      path: file.path,
      sizeBytes: file.size,
      sha256: file.sha256,
      isLfs: advice[i]?.mode === 'lfs',
    }))
    const plan = await planUploads(ctx, repo, wanted)
    return c.json(planView(ctx, repo, plan), 200)
  })
  app.openapi(routes.getUpload, async (c) => {
    const { id, ...address } = c.req.valid('param')
    const { ctx } = c.var
    return c.json(await statusOf(ctx, await requireUpload(ctx, addressOf(address), id)), 200)
  })
  app.openapi(routes.putUploadPart, async (c) => {
    const { id, n, ...address } = c.req.valid('param')
    const { ctx } = c.var
    const upload = await requireUpload(ctx, addressOf(address), id)
    if (c.req.header('Content-Type') !== 'application/octet-stream')
      throw new Problem('unsupported-media-type', { detail: 'Send a part as application/octet-stream.' })
    const part = await putPart(ctx, upload, n, requestBytes(c), declaredLength(c))
    c.header('ETag', `"${part.etag}"`)
    return c.json({ n: part.n, size: part.sizeBytes, etag: part.etag }, 200)
  })
  app.openapi(routes.completeUpload, async (c) => {
    const { id, ...address } = c.req.valid('param')
    const { ctx } = c.var
    const upload = await requireUpload(ctx, addressOf(address), id)
    const completed = await completeUpload(ctx, upload.id, c.req.valid('json').parts)
    return c.json(await statusOf(ctx, await untilVerified(ctx, completed)), 200)
  })
}
