import { Text } from '@mantine/core'
import type { Discussion } from '../../../lib/types.ts'
import { looksOfReviewers } from './states.tsx'

const namesOf = (names: string[]) =>
  names.length > 3
    ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`
    : names.join(names.length === 2 ? ' and ' : ', ')

interface VerdictsProps {
  discussion: Discussion
  /** Whether requested changes hold the merge. */
  isHeld?: boolean
}

/** What the reviewers who count say, beside the merge. */
export function Verdicts({ discussion: { reviewers = [] }, isHeld = false }: VerdictsProps) {
  const by = (state: 'approved' | 'changes_requested') =>
    reviewers.filter((each) => each.counts && each.state === state)
  const against = by('changes_requested')
  const approved = by('approved')
  const former = approved.filter((each) => each.is_outdated)
  const current = approved.filter((each) => !each.is_outdated)
  const names = (of: typeof reviewers) => namesOf(of.map(({ user }) => user.username))
  return (
    <>
      {against.length > 0 && (
        <Line state="changes_requested">
          Changes requested by {names(against)}.{isHeld ? '' : ' It can be merged all the same.'}
        </Line>
      )}
      {current.length > 0 && <Line state="approved">Approved by {names(current)}.</Line>}
      {former.length > 0 && (
        <Line state="commented">Approved by {names(former)}, before the newest commits.</Line>
      )}
    </>
  )
}

interface LineProps {
  state: keyof typeof looksOfReviewers
  children: (string | number)[]
}

function Line({ state, children }: LineProps) {
  const { Icon, color } = looksOfReviewers[state]
  return (
    <Text size="sm" component="div" style={{ display: 'flex', gap: 8, overflowWrap: 'anywhere' }}>
      <Icon
        size={16}
        aria-hidden
        style={{ flexShrink: 0, marginTop: 3, color: `var(--mantine-color-${color}-text)` }}
      />
      <span>{children}</span>
    </Text>
  )
}
