import { late } from './late.tsx'
import type { MarkdownBase } from './markdown/links.ts'

const Markdown = late(() => import('./markdown/markdown.tsx'))

/** Its links lead to pages of this server: `docs/api`, `acme/tiny`. */
const base: MarkdownBase = {
  folder: '',
  idPrefix: 'welcome-',
  pageOf: (path) => `/${path}`,
  bytesOf: (path) => `/${path}`,
}

/** The words with which the admins greet visitors. What is around it waits until they are laid out. */
export const Welcome = ({ text }: { text: string }) => <Markdown text={text} base={base} skeleton={null} />
