import type { Nodes, Root } from 'hast'
import type { Root as Parsed } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { mathFromMarkdown } from 'mdast-util-math'
import { toHast } from 'mdast-util-to-hast'
import { gfm } from 'micromark-extension-gfm'
import { math } from 'micromark-extension-math'
import rehypeSanitize from 'rehype-sanitize'
import rehypeSlug from 'rehype-slug'
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
 * `shorten` takes away what is not wanted of what was parsed.
 */
export async function treeOf(
  text: string,
  prefix: string,
  referencesIn?: string,
  shorten?: (parsed: Parsed) => void,
): Promise<Root> {
  await loadReferences(text)
  // By the parts of remark that parse: the rest of it writes Markdown, and is a quarter of what would be fetched.
  const parsed = fromMarkdown(text, {
    extensions: [gfm(), math()],
    mdastExtensions: [gfmFromMarkdown(), mathFromMarkdown()],
  })
  shorten?.(parsed)
  remarkDisplayMath()(parsed, { value: text })
  const raw = toHast(parsed, { allowDangerousHtml: true })
  rehypeHtml()(raw)
  const tree = rehypeSanitize({ ...schema, clobberPrefix: prefix })(raw as Root) as Root
  rehypeSlug({ prefix })(tree)
  rehypeCallouts()(tree)
  rehypeMentions(referencesIn)(tree)
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
