import type { MarkdownBase } from '../../ui/markdown/links.ts'

/** How the links of a namespace's README find their targets: `tiny` is its repo, `/docs/api` a page of this server. */
export const readmeBase = (ns: string): MarkdownBase => ({
  folder: ns,
  idPrefix: 'readme-',
  pageOf: (path) => `/${path}`,
  bytesOf: (path) => `/${path}`,
})
