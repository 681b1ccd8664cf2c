import Markdown from '../../ui/markdown/markdown.tsx'
import { splitFrontMatter } from '../../ui/markdown/front-matter.ts'
import { pages } from '../../lib/pages.ts'
import type { FoundDetail } from './queries.ts'

/** The card of a repo that is at another hub. Its images stay there: this page loads nothing from other hosts. */
export default function FoundCard({ text, found }: { text: string; found: FoundDetail }) {
  const base = {
    folder: '',
    pageOf: (path: string) => pages.blob(found, 'main', path),
    bytesOf: () => '',
    idPrefix: 'card-',
  }
  return <Markdown text={splitFrontMatter(text).text} base={base} />
}
