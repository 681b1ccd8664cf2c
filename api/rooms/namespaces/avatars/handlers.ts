import { policyOf } from '../../../core/access/index.ts'
import { sendBlob } from '../../../core/http/bytes.ts'
import type { App } from '../../../core/http/env.ts'
import { imageBody } from '../../../core/http/image-body.ts'
import { contentPolicy } from '../../../core/http/security-headers.ts'
import { mediaTypes } from '../../../core/images/index.ts'
import { blobKeys } from '../../../stores/storage/index.ts'
import { profileOf } from '../get-namespace.ts'
import * as routes from '../routes.ts'
import { viewNamespace } from '../view.ts'
import { picturePattern } from './address.ts'
import { namedTypes, removeAvatar, setAvatar } from './change.ts'
import { openAvatar, openPicture } from './open.ts'

/** The operations that change avatars. */
export function mountAvatarChanges(app: App): void {
  app.openapi(routes.setAvatar, async (c) => {
    const { ctx } = c.var
    const row = await setAvatar(ctx, c.req.valid('param').ns, ...imageBody(c, namedTypes))
    return c.json(viewNamespace(await profileOf(ctx, row)), 200)
  })

  app.openapi(routes.removeAvatar, async (c) => {
    await removeAvatar(c.var.ctx, c.req.valid('param').ns)
    return c.body(null, 204)
  })
}

/**
 * `GET /avatars/{ns}.svg`: a drawing of the initials, or the way to the picture that was uploaded, whose address changes with
 * it. For callers who may see the profile.
 */
export function mountAvatars(app: App): void {
  app.get(`/avatars/:file{${picturePattern}}`, async (c) => {
    const { ctx } = c.var
    const { id, type, size, created_at } = await openPicture(ctx, c.req.param('file'))
    const reach = policyOf(ctx.config).anonymousRead ? 'public' : 'private'
    return sendBlob(c, {
      sizeBytes: size,
      etag: id,
      modifiedAt: created_at,
      headers: {
        'Content-Type': mediaTypes[type],
        'Content-Disposition': `inline; filename="${id}.${type}"`,
        'Content-Security-Policy': contentPolicy,
        'Cache-Control': `${reach}, max-age=31536000, immutable`,
      },
      open: (range, signal) => ctx.blobs.read(blobKeys.avatar(id), range, signal),
    })
  })

  app.get('/avatars/:file{.+\\.svg}', async (c) => {
    const { ctx } = c.var
    const avatar = await openAvatar(ctx, c.req.param('file').slice(0, -'.svg'.length))
    const caching = {
      'Cache-Control': policyOf(ctx.config).anonymousRead ? 'public, max-age=300' : 'private, no-store',
    }
    if ('path' in avatar) return c.body(null, 302, { ...caching, Location: avatar.path })
    return c.body(avatar.svg, 200, {
      ...caching,
      'Content-Type': 'image/svg+xml',
      // A page may show it; opened by itself it is saved, never run.
      'Content-Disposition': `attachment; filename="${avatar.name}.svg"`,
      'Content-Security-Policy': contentPolicy,
    })
  })
}
