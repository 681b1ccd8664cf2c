import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useMemo, useState } from 'react'
import { useCommitWays } from '../../../lib/commit-ways.ts'
import { discussionQuery } from '../../../lib/repo-queries.ts'
import { useRepo } from '../../../lib/repo-context.ts'
import type { DiscussionEvent } from '../../../lib/types.ts'
import { languageOf } from '../../../ui/code/languages.ts'
import diff from '../../../ui/diff/diff.module.css'
import { HunkRows } from '../../../ui/diff/hunks.tsx'
import { Review } from '../../../ui/diff/look.ts'
import { late } from '../../../ui/late.tsx'
import { ListSkeleton } from '../../../ui/states.tsx'
import classes from '../discussions.module.css'

const SuggestionForm = late(() => import('./suggestion-form.tsx'))

type Place = NonNullable<DiscussionEvent['place']>

interface SuggestionProps {
  num: number
  event: DiscussionEvent
  place: Place
  /** Which one of the comment, from 1. */
  number: number
  lines: string[]
}

/** What a review comment suggests: its lines as they are, and as they would be. */
export function Suggestion({ num, event, place, number, lines }: SuggestionProps) {
  const { address } = useRepo()
  const [isCommitting, setIsCommitting] = useState(false)
  const hunk = useMemo(() => hunkOf(place, lines), [place, lines])
  const discussion = useQuery(discussionQuery(address, num)).data
  const pull = discussion?.pull_request
  const isOpen = !place.outdated && discussion?.status === 'open'
  const canCommit = useCommitWays(pull?.ref ?? '').includes('direct') && isOpen
  return (
    <div className={classes['suggestion']} role="group" aria-label="Suggested change">
      <Text size="xs" c="dimmed" px="sm" py={6}>
        Suggested change
      </Text>
      {/* Its lines are no lines of the page's diff: nothing is said about them. */}
      <Review value={undefined}>
        <div className={diff['scroll']} tabIndex={0} role="group" aria-label="Suggested lines">
          <table className={diff['diff']}>
            <HunkRows hunk={hunk} isSplit={false} language={languageOf(place.path)} />
          </table>
        </div>
      </Review>
      {lines.length === 0 && (
        <Text size="xs" c="dimmed" px="sm" py={6}>
          The lines are deleted.
        </Text>
      )}
      {canCommit && pull && !isCommitting && (
        <Button size="compact-xs" variant="default" m="xs" onClick={() => setIsCommitting(true)}>
          Commit suggestion…
        </Button>
      )}
      {canCommit && pull && isCommitting && (
        <Suspense fallback={<ListSkeleton rows={3} />}>
          <SuggestionForm
            num={num}
            id={event.id}
            number={number}
            path={place.path}
            head={pull.head_commit}
            onClose={() => setIsCommitting(false)}
          />
        </Suspense>
      )}
    </div>
  )
}

/** Line ends of Windows stay as they are, so they are no part of what differs. */
const withoutEnd = (text: string) => text.replace(/\r$/, '')

function hunkOf({ line, start_line: first = line, excerpt }: Place, lines: string[]) {
  const count = line - first + 1
  const before = excerpt.filter(({ kind }) => kind !== 'delete').slice(-count)
  return {
    old_start: first,
    new_start: first,
    old_lines: before.length,
    new_lines: lines.length,
    lines: [
      ...before.map(({ text }) => ({ kind: 'delete' as const, text: withoutEnd(text) })),
      ...lines.map((text) => ({ kind: 'add' as const, text })),
    ],
  }
}
