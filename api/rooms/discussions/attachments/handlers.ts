import type { Context } from 'hono'
import type { Ctx } from '../../../core/ctx.ts'
import { sendBlob } from '../../../core/http/bytes.ts'
import type { App, Env } from '../../../core/http/env.ts'
import { imageBody } from '../../../core/http/image-body.ts'
import { contentPolicy } from '../../../core/http/security-headers.ts'
import { requireScope } from '../../../core/access/index.ts'
import { mediaTypes, type StoredImage } from '../../../core/images/index.ts'
import { addressOf } from '../../repos/view.ts'
import { blobKeys } from '../../../stores/storage/index.ts'
import { requireForum } from '../require.ts'
import * as routes from '../routes.ts'
import { attachmentPath, filePattern } from './address.ts'
import { openAttachment } from './open.ts'
import { namedTypes, uploadAttachment } from './upload.ts'

const urlOf = ({ origin }: Ctx, image: StoredImage) => origin.baseUrl + attachmentPath(image)

const receive = (c: Context<Env>): Promise<StoredImage> =>
  uploadAttachment(c.var.ctx, ...imageBody(c, namedTypes))

/** The operation of the native API, which the pages use. */
export function mountAttachmentUpload(app: App): void {
  app.openapi(routes.createAttachment, async (c) => {
    const { ctx } = c.var
    await requireForum(ctx, addressOf(c.req.valid('param')), 'repo.discuss')
    const image = await receive(c)
    const url = urlOf(ctx, image)
    return c.json({ id: image.id, type: image.type, size: image.sizeBytes, url }, 201, { Location: url })
  })
}

async function send(c: Context<Env>): Promise<Response> {
  const { ctx } = c.var
  const { id, type, sizeBytes, createdAt, isPublic } = await openAttachment(ctx, c.req.param('file') ?? '')
  return sendBlob(c, {
    sizeBytes,
    etag: id,
    modifiedAt: createdAt,
    headers: {
      'Content-Type': mediaTypes[type],
      'Content-Disposition': `inline; filename="${id}.${type}"`,
      'Content-Security-Policy': contentPolicy,
      'Cache-Control': isPublic ? 'public, no-cache' : 'private, no-store',
    },
    open: (range, signal) => ctx.blobs.read(blobKeys.attachment(id), range, signal),
  })
}

/**
 * `POST /uploads` of hub clients (`upload_attachment` of huggingface_hub 2.4.0), which names no repo and is answered the
 * image's address as text; and the images themselves.
 */
export function mountAttachments(app: App): void {
  app.post('/uploads', async (c) => {
    requireScope(c.var.ctx.actor, 'write')
    return c.text(urlOf(c.var.ctx, await receive(c)))
  })
  app.get(`/uploads/:file{${filePattern}}`, send)
}
