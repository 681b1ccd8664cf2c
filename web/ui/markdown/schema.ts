import { defaultSchema, type Options } from 'rehype-sanitize'
import { idPrefix } from './links.ts'

/**
 * What a document may hold: the public hub's list (no scripts, styles, forms, events), ids prefixed,
 * links by http, https or mailto alone, and the classes that mark formulas.
 */
export const schema: Options = {
  ...defaultSchema,
  clobberPrefix: idPrefix,
  protocols: { ...defaultSchema.protocols, href: ['http', 'https', 'mailto'] },
  attributes: {
    ...defaultSchema.attributes,
    code: [['className', /^language-./, 'math-inline', 'math-display']],
  },
}
