import { authoriseProfile, policyOf } from '../../core/access/index.ts'
import { z } from '../../core/http/contract.ts'
import { openCursor, sealCursor } from '../../core/http/cursor.ts'
import type { App } from '../../core/http/env.ts'
import { nativeBase } from '../../core/http/surface.ts'
import { contentPolicy } from '../../core/http/security-headers.ts'
import { initialsPicture } from './avatar.ts'
import { createOrg } from './create-org.ts'
import { deleteOrg } from './delete-org.ts'
import { getNamespace, profileOf } from './get-namespace.ts'
import { getMember, listMembers } from './members.ts'
import { removeMember } from './remove-member.ts'
import { requireNamespace } from './require.ts'
import * as routes from './routes.ts'
import { setMember } from './set-member.ts'
import { updateOrg } from './update-org.ts'
import { viewMember, viewNamespace } from './view.ts'

/** The operations on users' profiles, organisations and members. */
export function mountNamespaces(app: App): void {
  app.openapi(routes.getNamespace, async (c) => {
    const { ctx } = c.var
    return c.json(viewNamespace(await getNamespace(ctx, c.req.valid('param').ns)), 200)
  })

  app.openapi(routes.createOrg, async (c) => {
    const { ctx } = c.var
    const org = await createOrg(ctx, c.req.valid('json'))
    c.header('Location', `${nativeBase}/namespaces/${org.name}`)
    const profile = await profileOf(ctx, org)
    // The caller was identified before there was an organisation to have a role in.
    return c.json(viewNamespace({ ...profile, role: 'admin' }), 201)
  })

  app.openapi(routes.updateOrg, async (c) => {
    const { ctx } = c.var
    const org = await updateOrg(ctx, c.req.valid('param').ns, c.req.valid('json'))
    return c.json(viewNamespace(await profileOf(ctx, org)), 200)
  })

  app.openapi(routes.deleteOrg, async (c) => {
    await deleteOrg(c.var.ctx, c.req.valid('param').ns)
    return c.body(null, 204)
  })

  mountMembers(app)
}

function mountMembers(app: App): void {
  app.openapi(routes.listMembers, async (c) => {
    const { ctx } = c.var
    const { ns } = c.req.valid('param')
    const { cursor, limit } = c.req.valid('query')
    const list = `listMembers ${ns.toLowerCase()}`
    const after = openCursor(ctx, list, cursor, z.string())
    const { items, next } = await listMembers(ctx, ns, { after, limit })
    return c.json(
      { items: items.map((member) => viewMember(member)), next_cursor: sealCursor(ctx, list, next) },
      200,
    )
  })

  app.openapi(routes.getMember, async (c) => {
    const { ns, user } = c.req.valid('param')
    return c.json(viewMember(await getMember(c.var.ctx, ns, user)), 200)
  })

  app.openapi(routes.setMember, async (c) => {
    const { ns, user } = c.req.valid('param')
    const member = await setMember(c.var.ctx, ns, user, c.req.valid('json').role)
    return c.json(viewMember(member), 200)
  })

  app.openapi(routes.removeMember, async (c) => {
    const { ns, user } = c.req.valid('param')
    await removeMember(c.var.ctx, ns, user)
    return c.body(null, 204)
  })
}

/** `GET /avatars/{ns}.svg`, for callers who may see the profile. */
export function mountAvatars(app: App): void {
  app.get('/avatars/:file{.+\\.svg}', async (c) => {
    const { actor, config, db } = c.var.ctx
    const name = c.req.param('file').slice(0, -'.svg'.length)
    const policy = policyOf(config)
    authoriseProfile(actor, name, policy)
    const row = await requireNamespace(db, name)
    return c.body(initialsPicture(row.name, row.display_name), 200, {
      'Content-Type': 'image/svg+xml',
      // A page may show it; opened by itself it is saved, never run.
      'Content-Disposition': `attachment; filename="${row.name}.svg"`,
      'Content-Security-Policy': contentPolicy,
      'Cache-Control': policy.anonymousRead ? 'public, max-age=86400' : 'private, no-store',
    })
  })
}
