import { sendBlob } from '../../../core/http/bytes.ts'
import type { App } from '../../../core/http/env.ts'
import { imageBody } from '../../../core/http/image-body.ts'
import { contentPolicy } from '../../../core/http/security-headers.ts'
import { mediaTypes } from '../../../core/images/index.ts'
import { blobKeys } from '../../../stores/storage/index.ts'
import { namedTypes, openLogo, removeLogo, setLogo } from './logo.ts'
import { getSetLook, openLook, type LookWords } from './look.ts'
import * as routes from './routes.ts'
import { updateLook } from './update-look.ts'
import { viewLook } from './view.ts'

/** How the server looks, and the changes of it. */
export function mountLook(app: App): void {
  app.openapi(routes.getLook, async (c) => c.json(viewLook(await openLook(c.var.ctx)), 200))

  app.openapi(routes.getAdminLook, async (c) => c.json(viewLook(await getSetLook(c.var.ctx)), 200))

  app.openapi(routes.updateLook, async (c) => {
    const { name, welcome, announcement } = c.req.valid('json')
    const words: LookWords = {
      name: name?.trim() ?? null,
      welcome: welcome ?? null,
      announcement: announcement
        ? {
            text: announcement.text.trim(),
            kind: announcement.kind,
            endsAt: announcement.ends_at === undefined ? null : new Date(announcement.ends_at),
          }
        : null,
    }
    return c.json(viewLook(await updateLook(c.var.ctx, words)), 200)
  })

  app.openapi(routes.setLogo, async (c) =>
    c.json(viewLook(await setLogo(c.var.ctx, ...imageBody(c, namedTypes))), 200),
  )

  app.openapi(routes.removeLogo, async (c) => {
    await removeLogo(c.var.ctx)
    return c.body(null, 204)
  })
}

/** `GET /avatars/logo/{id}.{type}`: the server's logo, for everyone, as the pages on which people sign in show it. */
export function mountLogo(app: App): void {
  app.get('/avatars/logo/:file', async (c) => {
    const { ctx } = c.var
    const { id, type, size, created_at } = await openLogo(ctx, c.req.param('file'))
    return sendBlob(c, {
      sizeBytes: size,
      etag: id,
      modifiedAt: created_at,
      headers: {
        'Content-Type': mediaTypes[type],
        'Content-Disposition': `inline; filename="logo.${type}"`,
        'Content-Security-Policy': contentPolicy,
        'Cache-Control': 'public, max-age=31536000, immutable',
      },
      open: (range, signal) => ctx.blobs.read(blobKeys.avatar(id), range, signal),
    })
  })
}
