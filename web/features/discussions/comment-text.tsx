import { useState } from 'react'
import { fileUrl } from '../../../shared/transfer.ts'
import { pages } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import Markdown from '../../ui/markdown/markdown.tsx'

/** Markdown that somebody wrote in a thread, sanitised as every document is; its links count from the repo's root. */
export default function CommentText({ id, text }: { id: string; text: string }) {
  const { repo, address } = useRepo()
  const [base] = useState(() => ({
    folder: '',
    idPrefix: `said-${id}-`,
    referencesIn: pages.repo(repo),
    pageOf: (path: string) => pages.blob(address, repo.default_branch, path),
    bytesOf: (path: string) => fileUrl(address, repo.default_branch, path),
  }))
  return <Markdown text={text} base={base} />
}
