import { useQuery } from '@tanstack/react-query'
import { Suspense, useState, type ReactNode } from 'react'
import { useRepo } from '../../lib/repo-context.ts'
import { late } from '../../ui/late.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { splitFrontMatter } from '../../ui/markdown/front-matter.ts'
import { PageSkeleton } from '../../ui/states.tsx'
import { baseOf, DocumentFrame } from './document-frame.tsx'
import { textQuery } from './queries.ts'

const Markdown = late(() => import('../../ui/markdown/markdown.tsx'))

export interface DocumentProps {
  rev: string
  path: string
  sizeBytes: number
}

/** A Markdown file of the repo as people read it. */
export function Document({ rev, path, sizeBytes }: DocumentProps) {
  const { address } = useRepo()
  const query = useQuery(textQuery(address, { rev, path }, sizeBytes))
  const [putDrawn] = useState(drawnCard)
  const skeleton = putDrawn ? <div ref={putDrawn} inert /> : <PageSkeleton />
  return (
    <Loaded query={query} skeleton={skeleton}>
      {({ text }) => (
        <DocumentText key={`${rev}:${path}`} text={text ?? ''} rev={rev} path={path} skeleton={skeleton} />
      )}
    </Loaded>
  )
}

/** What puts the card that the server drew into a place of the page, until its whole text is laid out; none without one. */
function drawnCard() {
  const card = document.querySelector('#first-view [data-card]')
  return card && ((place: Element | null) => place?.append(card))
}

interface TextProps {
  text: string
  rev: string
  path: string
  skeleton?: ReactNode
}

/** A Markdown text as a file at this path shows it. */
export function DocumentText({ text: source, rev, path, skeleton = <PageSkeleton /> }: TextProps) {
  const { address } = useRepo()
  const { frontMatter, text } = splitFrontMatter(source)
  const [base] = useState(() => baseOf(address, rev, path))
  return (
    <Suspense fallback={skeleton}>
      <DocumentFrame frontMatter={frontMatter}>
        <Markdown text={text} base={base} skeleton={null} />
      </DocumentFrame>
    </Suspense>
  )
}
