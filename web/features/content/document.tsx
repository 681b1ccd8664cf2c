import { Code, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { fileUrl } from '../../../shared/transfer.ts'
import { pages } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { splitFrontMatter } from '../../ui/markdown/front-matter.ts'
import { PageSkeleton } from '../../ui/states.tsx'
import classes from './content.module.css'
import { textQuery } from './queries.ts'

const Markdown = lazy(() => import('../../ui/markdown/markdown.tsx'))

interface DocumentProps {
  rev: string
  path: string
  sizeBytes: number
}

/** A Markdown file of the repo as people read it. */
export function Document({ rev, path, sizeBytes }: DocumentProps) {
  const { address } = useRepo()
  const query = useQuery(textQuery(address, { rev, path }, sizeBytes))
  return (
    <Loaded query={query} skeleton={<PageSkeleton />}>
      {({ text }) => <DocumentText key={`${rev}:${path}`} text={text ?? ''} rev={rev} path={path} />}
    </Loaded>
  )
}

/** A Markdown text as a file at this path shows it. */
export function DocumentText({ text: source, rev, path }: { text: string; rev: string; path: string }) {
  const { address } = useRepo()
  const { frontMatter, text } = splitFrontMatter(source)
  const [base] = useState(() => ({
    folder: path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '',
    pageOf: (target: string) => pages.blob(address, rev, target),
    bytesOf: (target: string) => fileUrl(address, rev, target),
  }))
  return (
    <Stack gap="md">
      {frontMatter && (
        <details className={classes['metadata']}>
          <summary>Metadata</summary>
          <Code block tabIndex={0} aria-label="Metadata">
            {frontMatter}
          </Code>
        </details>
      )}
      <Suspense fallback={<PageSkeleton />}>
        <Markdown text={text} base={base} skeleton={<PageSkeleton />} />
      </Suspense>
    </Stack>
  )
}
