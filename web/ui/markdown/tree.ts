import type { Nodes, Root } from 'hast'
import rehypeSanitize from 'rehype-sanitize'
import rehypeSlug from 'rehype-slug'
import remarkGfm from 'remark-gfm'
import remarkMath from 'remark-math'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { rehypeCallouts } from './callouts.ts'
import { remarkDisplayMath } from './display-math.ts'
import { rehypeHtml } from './html.ts'
import { rehypeMentions } from './mentions.ts'
import { loadReferences } from './references.ts'
import { schema } from './schema.ts'

/** Browsers take seconds to lay out more; a long card has some thousand. */
const maxNodes = 50_000

/**
 * The elements of a document that people wrote, sanitised; its ids begin with `prefix`. Throws for one that has too many
 * of them, or is nested without end. With the page of a repo, names of people, discussions and commits become links.
 */
export async function treeOf(text: string, prefix: string, referencesIn?: string): Promise<Root> {
  await loadReferences(text)
  const processor = unified()
    .use(remarkParse)
    .use([remarkGfm, remarkMath, remarkDisplayMath])
    .use(remarkRehype, { allowDangerousHtml: true })
    .use(rehypeHtml)
    .use(rehypeSanitize, { ...schema, clobberPrefix: prefix })
    .use(rehypeSlug, { prefix })
    .use(rehypeCallouts)
    .use(rehypeMentions, referencesIn)
  const file = { value: text }
  const tree = processor.runSync(processor.parse(text), file)
  lighten(tree)
  return tree
}

/** Leaves out where in the text nodes were, which takes more to hand over than they do. */
function lighten(tree: Root): void {
  const waiting: Nodes[] = [tree]
  let count = 0
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (++count > maxNodes) throw new RangeError(`the document has more than ${maxNodes} parts`)
    delete node.position
    if ('children' in node) waiting.push(...node.children)
  }
}
