import { Stack, Text } from '@mantine/core'
import { createContext, Suspense, useContext, useRef, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { DiffSide } from '../../../../shared/vocabulary.ts'
import { pages } from '../../../lib/pages.ts'
import { useRepo } from '../../../lib/repo-context.ts'
import type { Discussion, DiscussionEvent } from '../../../lib/types.ts'
import { endsOf } from '../../../ui/diff/choose-lines.ts'
import { Review, type ChosenLines } from '../../../ui/diff/look.ts'
import { late } from '../../../ui/late.tsx'
import { ListSkeleton } from '../../../ui/states.tsx'
import { useRights } from '../rights.ts'
import type { PendingReview } from './pending.ts'
import { ThreadInDiff } from './thread-in-diff.tsx'

const ReviewForm = late(async () => ({ default: (await import('./writing.ts')).ReviewForm }))
const PendingComment = late(async () => ({ default: (await import('./writing.ts')).PendingComment }))

interface Reviewed {
  discussion: Discussion
  /** The commit whose files are shown. */
  head: string
  /** What the viewer has written and not sent. */
  pending: PendingReview
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
  const [chosen, setChosen] = useState<ChosenLines>()
  // While others are chosen the form stays where it is, so that nothing moves below the pointer.
  const [written, setWritten] = useState<ChosenLines>()
  const draft = useRef('')
  if (!pull) return children
  const { discussion, head, pending } = pull
  const said = commentsOn(discussion, path)
  const current = said.filter(({ place }) => !place?.outdated)
  const outdated = said.length - current.length
  const threads = current.filter(({ id, thread }) => id === thread)
  const unsent = pending.comments.filter(({ place }) => place.path === path && place.commit === head)
  const places = [...current.flatMap(({ place }) => place ?? []), ...unsent.map(({ place }) => place)]
  const close = () => {
    draft.current = ''
    setChosen(undefined)
    setWritten(undefined)
  }
  const onChoose = (lines: ChosenLines, isAll: boolean) => {
    setChosen(lines)
    if (isAll) setWritten(lines)
  }
  const below = (side: DiffSide, line: number) => {
    const here = threads.filter(({ place }) => place?.side === side && place.line === line)
    const begun = written?.side === side && endsOf(written)[1] === line ? written : undefined
    const mine = unsent.filter(({ place }) => place.side === side && place.line === line)
    if (here.length === 0 && mine.length === 0 && !begun) return null
    return (
      <Stack gap="xs" maw={760}>
        {here.map((first) => (
          <ThreadInDiff
            key={first.id}
            discussion={discussion}
            first={first}
            comments={current.filter(({ thread }) => thread === first.id)}
            onAnswer={() => onChoose({ side, anchor: first.place?.start_line ?? line, line }, true)}
          />
        ))}
        {mine.length > 0 && (
          <Suspense fallback={<ListSkeleton rows={1} />}>
            {mine.map((each) => (
              <PendingComment key={each.id} comment={each} review={pending} />
            ))}
          </Suspense>
        )}
        {begun && (
          <Suspense fallback={<ListSkeleton rows={1} />}>
            <ReviewForm
              num={discussion.num}
              place={{ path, ...placeOf(begun), commit: head }}
              draft={draft.current}
              onDraft={(text) => (draft.current = text)}
              pending={pending}
              onClose={close}
            />
          </Suspense>
        )}
      </Stack>
    )
  }
  return (
    <Review value={{ below, places, chosen, ...(canSpeak && { onChoose }) }}>
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

function placeOf(lines: ChosenLines) {
  const [first, line] = endsOf(lines)
  return { side: lines.side, line, ...(first < line && { start_line: first }) }
}

const commentsOn = ({ events = [] }: Discussion, path: string): DiscussionEvent[] =>
  events.filter(({ place }) => place?.path === path)
