import { Anchor } from '@mantine/core'
import { lazy, Suspense, useEffect, useState, type ComponentProps } from 'react'
import ReactMarkdown, { type Components, type Options } from 'react-markdown'
import { Link } from 'react-router'
import rehypeSanitize from 'rehype-sanitize'
import rehypeSlug from 'rehype-slug'
import remarkGfm from 'remark-gfm'
import remarkMath from 'remark-math'
import { CodeBlock } from '../code/code-block.tsx'
import { AsWritten } from './as-written.tsx'
import { rehypeCallouts } from './callouts.ts'
import { remarkDisplayMath } from './display-math.ts'
import { rehypeHtml } from './html.ts'
import { decoded, idPrefix, resolveImage, resolveLink, type MarkdownBase } from './links.ts'
import classes from './markdown.module.css'
import { schema } from './schema.ts'

const Formula = lazy(() => import('./formula.tsx'))

const remarkPlugins: NonNullable<Options['remarkPlugins']> = [remarkGfm, remarkMath, remarkDisplayMath]
const rehypePluginsFor = (prefix: string): NonNullable<Options['rehypePlugins']> => [
  rehypeHtml,
  [rehypeSanitize, { ...schema, clobberPrefix: prefix }],
  [rehypeSlug, { prefix }],
  rehypeCallouts,
]

/** A document that people wrote, shown without trust: sanitised, its links and images kept within the Repo. */
export default function Markdown({ text, base }: { text: string; base: MarkdownBase }) {
  const [components] = useState(() => componentsFor(base))
  const [rehypePlugins] = useState(() => rehypePluginsFor(base.idPrefix ?? idPrefix))
  useFragment(base.idPrefix === undefined)
  return (
    <div className={classes['document']}>
      <AsWritten key={text} text={text}>
        <ReactMarkdown remarkPlugins={remarkPlugins} rehypePlugins={rehypePlugins} components={components}>
          {text}
        </ReactMarkdown>
      </AsWritten>
    </div>
  )
}

/** Follows the address's fragment once the document stands, where it is the page's only one. */
function useFragment(isAlone: boolean): void {
  useEffect(() => {
    if (!isAlone || location.hash.length < 2) return
    const name = decoded(location.hash.slice(1))
    const target = document.getElementById(name) ?? document.getElementById(idPrefix + name)
    target?.scrollIntoView()
  }, [isAlone])
}

function componentsFor(base: MarkdownBase): Components {
  return {
    // The sanitiser leaves a link without its target where that could run something.
    a: ({ href, children }) =>
      href ? <DocumentLink target={href} base={base} children={children} /> : <span>{children}</span>,
    img: ({ src, alt }) => (
      <DocumentImage source={typeof src === 'string' ? src : ''} alt={alt ?? ''} base={base} />
    ),
    table: ({ children }) => (
      <div className={classes['scroll']} tabIndex={0} role="group" aria-label="Table">
        <table>{children}</table>
      </div>
    ),
    pre: ({ children }) => <>{children}</>,
    code: Code,
    input: ({ checked }) => (
      <input type="checkbox" disabled checked={checked} aria-label={checked ? 'done' : 'to do'} />
    ),
  }
}

function DocumentLink({
  target,
  base,
  children,
}: {
  target: string
  base: MarkdownBase
  children: React.ReactNode
}) {
  const { href, isExternal } = resolveLink(target, base)
  if (isExternal)
    return (
      <Anchor href={href} rel="nofollow ugc noopener" underline="always" inherit>
        {children}
      </Anchor>
    )
  if (href.startsWith('#')) return <Anchor href={href} underline="always" inherit children={children} />
  return (
    <Anchor component={Link} to={href} rel="nofollow ugc" underline="always" inherit children={children} />
  )
}

function DocumentImage({ source, alt, base }: { source: string; alt: string; base: MarkdownBase }) {
  const src = resolveImage(source, base)
  if (src) return <img src={src} alt={alt} loading="lazy" />
  if (!/^https?:/i.test(source)) return <span>{alt}</span>
  return (
    <Anchor
      href={source}
      rel="nofollow ugc noopener"
      underline="always"
      inherit
      title="Not loaded: it lies on another server"
    >
      {alt || 'image'} ({URL.canParse(source) ? new URL(source).host : source})
    </Anchor>
  )
}

function Code({ className = '', children }: ComponentProps<'code'>) {
  const text = String(children ?? '').replace(/\n$/, '')
  if (/\bmath-(inline|display)\b/.test(className))
    return (
      <Suspense fallback={<code>{text}</code>}>
        <Formula text={text} isDisplay={className.includes('math-display')} />
      </Suspense>
    )
  const language = /language-([\w+-]+)/.exec(className)?.[1]
  if (language !== undefined || text.includes('\n')) return <CodeBlock text={text} language={language} />
  return <code className={classes['inline']}>{text}</code>
}
