import { Title } from '@mantine/core'
import { useEffect, useState } from 'react'
import { idPrefix } from '../../ui/markdown/links.ts'
import classes from './content.module.css'

interface Heading {
  id: string
  text: string
  level: number
}

/** The headings of the document beside it, read from the page once they stand there. */
export function TableOfContents() {
  const [headings, setHeadings] = useState<Heading[]>([])
  useEffect(() => {
    const root = document.getElementById('main')
    if (!root) return
    const read = () => setHeadings((now) => (equal(now, headingsIn(root)) ? now : headingsIn(root)))
    const observer = new MutationObserver(read)
    observer.observe(root, { childList: true, subtree: true })
    read()
    return () => observer.disconnect()
  }, [])
  if (headings.length < 2) return null
  const top = Math.min(...headings.map((heading) => heading.level))
  return (
    <nav aria-labelledby="toc-title">
      <Title order={2} size="h3" id="toc-title" mb={4}>
        Contents
      </Title>
      <ul className={classes['toc']}>
        {headings.map((heading) => (
          <li key={heading.id} style={{ paddingLeft: (heading.level - top) * 12 }}>
            <a href={`#${heading.id}`}>{heading.text}</a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function headingsIn(root: HTMLElement): Heading[] {
  const found = root.querySelectorAll<HTMLElement>('article :is(h1, h2, h3)[id]')
  return Array.from(found)
    .filter((element) => element.id.startsWith(idPrefix) && !element.id.endsWith('footnote-label'))
    .slice(0, 100)
    .map((element) => ({ id: element.id, text: element.textContent, level: Number(element.tagName[1]) }))
}

const equal = (a: Heading[], b: Heading[]) =>
  a.length === b.length && a.every((heading, i) => heading.id === b[i]?.id && heading.text === b[i].text)
