import { Suspense, use, useDeferredValue, useEffect, useState, type ReactNode } from 'react'
import { AsWritten, UnlessItFails } from './as-written.tsx'
import { componentsFor, Laid } from './components.tsx'
import { decoded, idPrefix, type MarkdownBase } from './links.ts'
import classes from './markdown.module.css'
import { parse } from './parse.ts'

interface MarkdownProps {
  text: string
  base: MarkdownBase
  /** Shown until it is laid out, in place of the text as it was written; `null` where what is around it waits. */
  skeleton?: ReactNode
}

/** A document that people wrote, shown without trust: sanitised, its links and images kept within the repo. */
export default function Markdown({ text, base, skeleton }: MarkdownProps) {
  // What is shown stays until what follows it is laid out.
  const shown = useDeferredValue(text)
  const laid = <LaidOut text={shown} base={base} />
  // In the font of text: what most comments hold stays as it is.
  const written = <div className={classes['written']}>{text}</div>
  return (
    <div className={classes['document']}>
      {skeleton === null ? laid : <Suspense fallback={skeleton ?? written}>{laid}</Suspense>}
    </div>
  )
}

function LaidOut({ text, base }: { text: string; base: MarkdownBase }) {
  const tree = use(parse(text, base.idPrefix ?? idPrefix, base.referencesIn))
  const [components] = useState(() => componentsFor(base))
  useFragment(base.idPrefix === undefined)
  if (!tree) return <AsWritten text={text} />
  return (
    <UnlessItFails key={text} instead={<AsWritten text={text} />}>
      <Laid tree={tree} components={components} />
    </UnlessItFails>
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
