import type { Element, ElementContent, Root } from 'hast'
import { mentionPattern } from '../../../shared/mentions.ts'

const name = String.raw`[A-Za-z0-9](?:[\w.-]{0,94}\w)?`

/** A repo by its full address, a discussion of one by its number, a commit by its 40 digits. */
const others = new RegExp(
  String.raw`(?<![\w@/.#-])(?:(models|datasets)\/(${name}\/${name})|(${name}\/${name}))?(?:#([1-9]\d{0,8}))?(?![\w/#])` +
    String.raw`|(?<![\w/.#-])([0-9a-f]{40})(?![\w/])`,
  'g',
)

/** In them nothing is a reference. */
const closed = new Set(['a', 'code', 'pre', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'])

interface Found {
  from: number
  to: number
  href: string
  text: string
}

/**
 * A rehype plugin, run after the sanitiser: `@ada`, `#12`, `acme/tiny#12`, `models/acme/tiny` and full commit hashes become
 * links, marked by `data-reference`. Without the page of a repo it does nothing.
 */
export function rehypeMentions(page?: string) {
  return (tree: Root) => {
    if (page !== undefined) link(tree, page)
  }
}

function link(parent: Root | Element, page: string): void {
  const children: ElementContent[] = []
  let hasLinks = false
  for (const child of parent.children) {
    if (child.type === 'element' && !closed.has(child.tagName)) link(child, page)
    const parts = child.type === 'text' ? partsOf(child.value, page) : undefined
    if (parts) hasLinks = true
    if (child.type !== 'doctype') children.push(...(parts ?? [child]))
  }
  if (hasLinks) parent.children = children
}

/** A text with its references as links; `undefined` where it has none. */
function partsOf(text: string, page: string): ElementContent[] | undefined {
  if (!/[@#/]|[0-9a-f]{40}/.test(text)) return undefined
  const found = [...mentionsOf(text), ...othersOf(text, page)].sort((a, b) => a.from - b.from)
  if (found.length === 0) return undefined
  const parts: ElementContent[] = []
  let at = 0
  for (const { from, to, href, text: value } of found) {
    if (from < at) continue
    if (from > at) parts.push({ type: 'text', value: text.slice(at, from) })
    parts.push({
      type: 'element',
      tagName: 'a',
      properties: { href, dataReference: '' },
      children: [{ type: 'text', value }],
    })
    at = to
  }
  if (at < text.length) parts.push({ type: 'text', value: text.slice(at) })
  return parts
}

const mentionsOf = (text: string): Found[] =>
  [...text.matchAll(mentionPattern)].map((match) => ({
    from: match.index,
    to: match.index + match[0].length,
    href: `/${match[1] ?? ''}`,
    text: match[0],
  }))

function othersOf(text: string, page: string): Found[] {
  const found: Found[] = []
  for (const match of text.matchAll(others)) {
    const [whole, type, typed, bare, num, sha] = match
    const href = targetOf(page, { type, repo: typed ?? bare, num, sha })
    if (href === undefined) continue
    const shown = sha === undefined ? whole : sha.slice(0, 8)
    found.push({ from: match.index, to: match.index + whole.length, href, text: shown })
  }
  return found
}

interface Named {
  type: string | undefined
  repo: string | undefined
  num: string | undefined
  sha: string | undefined
}

function targetOf(page: string, { type, repo, num, sha }: Named): string | undefined {
  if (sha !== undefined) return `${page}/commit/${sha}`
  if (repo === undefined) return num === undefined ? undefined : `${page}/discussions/${num}`
  // Two words with a slash between are a repo only where something else says so.
  if (type === undefined && num === undefined) return undefined
  const target = `${type === 'datasets' ? '/datasets' : ''}/${repo}`
  return num === undefined ? target : `${target}/discussions/${num}`
}
