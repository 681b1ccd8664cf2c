import { requireUser } from '../../../core/access/index.ts'
import type { App } from '../../../core/http/env.ts'
import { licences, loadVocabulary } from '../../../core/metadata/index.ts'
import * as routes from './routes.ts'
import { validateYaml } from './validate-yaml.ts'

/** The operations on what cards say, for those who write them. */
export function mountCards(app: App): void {
  app.openapi(routes.checkCard, async (c) => {
    requireUser(c.var.ctx.actor)
    const { type, text } = c.req.valid('json')
    return c.json(await validateYaml(text, type), 200)
  })

  app.openapi(routes.getCardVocabulary, async (c) => {
    requireUser(c.var.ctx.actor)
    const { tasks, libraries } = await loadVocabulary()
    const known = [...tasks].map(([id, modality]) => ({ id, modality }))
    return c.json({ tasks: known, libraries: [...libraries].sort(), licences: [...licences] }, 200)
  })
}
