import { Anchor } from '@mantine/core'
import type { Root } from 'hast'
import { toJsxRuntime, type Components } from 'hast-util-to-jsx-runtime'
import { createContext, Suspense, useContext, type ComponentProps } from 'react'
import { Fragment, jsx, jsxs } from 'react/jsx-runtime'
import { Link } from 'react-router'
import { CodeBlock } from '../code/code-block.tsx'
import { late } from '../late.tsx'
import { resolveImage, resolveLink, type MarkdownBase } from './links.ts'
import classes from './markdown.module.css'

const FormulaSource = ({ text }: { text: string; isDisplay: boolean }) => <code>{text}</code>
const Formula = late(() => import('./formula.tsx'), FormulaSource)

/** A component of its own, so that what it throws is caught by the one around it. */
export function Laid({ tree, components }: { tree: Root; components: Partial<Components> }) {
  return toJsxRuntime(tree, { Fragment, jsx, jsxs, components, ignoreInvalidStyle: true, passKeys: true })
}

/** What stands for the elements of a document. */
export function componentsFor(base: MarkdownBase): Partial<Components> {
  return {
    // The sanitiser leaves a link without its target where that could run something.
    a: ({ href, children, ...rest }) => {
      if (!href) return <span>{children}</span>
      if ('data-reference' in rest)
        return <Anchor component={Link} to={href} underline="always" inherit children={children} />
      return <DocumentLink target={href} base={base} children={children} />
    },
    img: ({ src, alt }) => (
      <DocumentImage source={typeof src === 'string' ? src : ''} alt={alt ?? ''} base={base} />
    ),
    table: ({ children }) => (
      <div className={classes['scroll']} tabIndex={0} role="group" aria-label="Table">
        <table>{children}</table>
      </div>
    ),
    pre: ({ children }) => <InBlock value={true}>{children}</InBlock>,
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

/** Whether a code stands in a block of its own, however short it is. */
const InBlock = createContext(false)

function Code({ className = '', children }: ComponentProps<'code'>) {
  const isBlock = useContext(InBlock)
  const text = String(children ?? '').replace(/\n$/, '')
  if (/\bmath-(inline|display)\b/.test(className))
    return (
      <Suspense fallback={<code>{text}</code>}>
        <Formula text={text} isDisplay={className.includes('math-display')} />
      </Suspense>
    )
  const language = /language-([\w+-]+)/.exec(className)?.[1]
  if (isBlock) return <CodeBlock text={text} language={language} />
  return <code className={classes['inline']}>{text}</code>
}
