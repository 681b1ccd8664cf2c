import { z } from '../../core/http/contract.ts'
import { openCursor, sealCursor } from '../../core/http/cursor.ts'
import type { App } from '../../core/http/env.ts'
import { nativeBase } from '../../core/http/surface.ts'
import { mountAvatarChanges } from './avatars/handlers.ts'
import { createOrg } from './create-org.ts'
import { deleteOrg } from './delete-org.ts'
import { mountFollows } from './follows/handlers.ts'
import { getNamespace, profileOf } from './get-namespace.ts'
import { getMember, listMembers } from './members.ts'
import { getReadme, setReadme } from './readme/readme.ts'
import { removeMember } from './remove-member.ts'
import * as routes from './routes.ts'
import { setMember } from './set-member.ts'
import { updateOrg } from './update-org.ts'
import { viewMember, viewNamespace, viewReadme } from './view.ts'

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

  mountAvatarChanges(app)
  mountFollows(app)
  mountReadmes(app)
  mountMembers(app)
}

function mountReadmes(app: App): void {
  app.openapi(routes.getNamespaceReadme, async (c) =>
    c.json(viewReadme(await getReadme(c.var.ctx, c.req.valid('param').ns)), 200),
  )

  app.openapi(routes.setNamespaceReadme, async (c) => {
    const { text, seen } = c.req.valid('json')
    return c.json(viewReadme(await setReadme(c.var.ctx, c.req.valid('param').ns, text, seen)), 200)
  })
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
