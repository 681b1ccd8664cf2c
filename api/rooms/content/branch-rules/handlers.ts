import type { App } from '../../../core/http/env.ts'
import { addressOf } from '../../repos/view.ts'
import { createBranchRule, deleteBranchRule, listBranchRules, updateBranchRule } from './change-rules.ts'
import * as routes from './routes.ts'
import { viewRule } from './view.ts'

/** Rules that protect branches. */
export function mountBranchRules(app: App): void {
  app.openapi(routes.listBranchRules, async (c) => {
    const rules = await listBranchRules(c.var.ctx, addressOf(c.req.valid('param')))
    return c.json({ items: rules.map(viewRule) }, 200)
  })

  app.openapi(routes.createBranchRule, async (c) => {
    const { pattern, ...settings } = c.req.valid('json')
    const address = addressOf(c.req.valid('param'))
    const rule = await createBranchRule(c.var.ctx, address, { pattern, ...settingsOf(settings) })
    return c.json(viewRule(rule), 201, { Location: `${c.req.path}/${rule.id}` })
  })

  app.openapi(routes.updateBranchRule, async (c) => {
    const { id, ...address } = c.req.valid('param')
    const { pattern, ...settings } = c.req.valid('json')
    const wanted = { pattern, ...settingsOf(settings) }
    return c.json(viewRule(await updateBranchRule(c.var.ctx, addressOf(address), id, wanted)), 200)
  })

  app.openapi(routes.deleteBranchRule, async (c) => {
    const { id, ...address } = c.req.valid('param')
    await deleteBranchRule(c.var.ctx, addressOf(address), id)
    return c.body(null, 204)
  })
}

interface Settings {
  require_pull_request?: boolean | undefined
  required_approvals?: number | undefined
  allow_force_push?: boolean | undefined
  allow_deletion?: boolean | undefined
  include_admins?: boolean | undefined
}

const settingsOf = (given: Settings) => ({
  requirePullRequest: given.require_pull_request,
  requiredApprovals: given.required_approvals,
  allowForcePush: given.allow_force_push,
  allowDeletion: given.allow_deletion,
  includeAdmins: given.include_admins,
})
