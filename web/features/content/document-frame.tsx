import { Code, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { fileUrl } from '../../../shared/transfer.ts'
import { pages } from '../../lib/pages.ts'
import type { RepoAddress } from '../../lib/types.ts'
import type { MarkdownBase } from '../../ui/markdown/links.ts'
import classes from './content.module.css'

/** Where the links and images of a document at a path of a repo lead. */
export const baseOf = (address: RepoAddress, rev: string, path: string): MarkdownBase => ({
  folder: path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '',
  pageOf: (target) => pages.blob(address, rev, target),
  bytesOf: (target) => fileUrl(address, rev, target),
})

interface FrameProps {
  frontMatter: string | undefined
  children: ReactNode
}

/** A document below its metadata. */
export const DocumentFrame = ({ frontMatter, children }: FrameProps) => (
  <Stack gap="md">
    {frontMatter && (
      <details className={classes['metadata']}>
        <summary>Metadata</summary>
        <Code block tabIndex={0} aria-label="Metadata">
          {frontMatter}
        </Code>
      </details>
    )}
    {children}
  </Stack>
)
