import { defaultSchema, type Options } from 'rehype-sanitize'
import { idPrefix } from './links.ts'

/**
 * What a document may hold: the public hub's list (no scripts, styles, forms, events), ids prefixed,
 * links by http, https or mailto alone, no image but `img` (whose source is checked), and the classes of formulas.
 */
export const schema: Options = {
  ...defaultSchema,
  clobberPrefix: idPrefix,
  tagNames: defaultSchema.tagNames?.filter((name) => name !== 'source' && name !== 'picture') ?? null,
  protocols: { ...defaultSchema.protocols, href: ['http', 'https', 'mailto'] },
  attributes: {
    ...defaultSchema.attributes,
    code: [['className', /^language-./, 'math-inline', 'math-display']],
  },
}
