import { Stack, Text } from '@mantine/core'
import { createContext, Suspense, useContext, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { DiffSide } from '../../../../shared/vocabulary.ts'
import { pages } from '../../../lib/pages.ts'
import { useRepo } from '../../../lib/repo-context.ts'
import type { Discussion, DiscussionEvent } from '../../../lib/types.ts'
import { Review } from '../../../ui/diff/look.ts'
import { late } from '../../../ui/late.tsx'
import { ListSkeleton } from '../../../ui/states.tsx'
import { CommentView } from '../comment-view.tsx'
import { useRights } from '../rights.ts'

const ReviewForm = late(() => import('./review-form.tsx'))

interface Reviewed {
  discussion: Discussion
  /** The commit whose files are shown. */
  head: string
}

const Pull = createContext<Reviewed | undefined>(undefined)

/** Files of a pull request, to whose lines comments can be made. */
export function ReviewOfPull({ children, ...reviewed }: Reviewed & { children: ReactNode }) {
  return <Pull value={reviewed}>{children}</Pull>
}

/** One file of it: what was said about its lines, and the form that begins a comment. */
export function ReviewedFile({ path, children }: { path: string; children: ReactNode }) {
  const pull = useContext(Pull)
  const { repo } = useRepo()
  const { canSpeak } = useRights()
  const [begun, setBegun] = useState<{ side: DiffSide; line: number }>()
  if (!pull) return children
  const { discussion, head } = pull
  const said = commentsOn(discussion, path)
  const current = said.filter(({ place }) => !place?.outdated)
  const outdated = said.length - current.length
  const places = current.flatMap(({ place }) => place ?? [])
  const below = (side: DiffSide, line: number) => {
    const here = current.filter(({ place }) => place?.side === side && place.line === line)
    const isBegun = begun?.side === side && begun.line === line
    if (here.length === 0 && !isBegun) return null
    return (
      <Stack gap="xs" maw={760}>
        {here.map((event) => (
          <CommentView key={event.id} num={discussion.num} event={event} isInDiff />
        ))}
        {isBegun && (
          <Suspense fallback={<ListSkeleton rows={1} />}>
            <ReviewForm
              num={discussion.num}
              place={{ path, side, line, commit: head }}
              onClose={() => setBegun(undefined)}
            />
          </Suspense>
        )}
      </Stack>
    )
  }
  return (
    <Review value={{ below, places, ...(canSpeak && { onStart: (side, line) => setBegun({ side, line }) }) }}>
      {outdated > 0 && (
        <Text size="xs" c="dimmed" px="sm" py={6}>
          {outdated === 1 ? '1 comment is' : `${outdated} comments are`} on an earlier version of this file:{' '}
          <Link to={pages.discussion(repo, discussion.num)}>see the conversation</Link>.
        </Text>
      )}
      {children}
    </Review>
  )
}

const commentsOn = ({ events = [] }: Discussion, path: string): DiscussionEvent[] =>
  events.filter(({ place }) => place?.path === path)
