import { ActionIcon, Button, Stack, Text, Title } from '@mantine/core'
import { IconRefresh, IconX } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { notifyProblem } from '../../../lib/notify.ts'
import { useRepo } from '../../../lib/repo-context.ts'
import type { Discussion } from '../../../lib/types.ts'
import { late } from '../../../ui/late.tsx'
import { Mark } from '../../../ui/mark.tsx'
import classes from '../discussions.module.css'
import { Person } from '../person.tsx'
import { useRequestReview } from '../queries.ts'
import { useRights } from '../rights.ts'
import { looksOfReviewers } from './states.tsx'

const AskReviewer = late(() => import('./ask-reviewer.tsx'))

type Reviewer = NonNullable<Discussion['reviewers']>[number]

/** Who has reviewed a pull request, and who is asked to. */
export function Reviewers({ discussion }: { discussion: Discussion }) {
  const { reviewers = [], status } = discussion
  const { canSpeak, canEdit } = useRights()
  const [isAsking, setIsAsking] = useState(false)
  const mayAsk = canSpeak && canEdit(discussion) && status === 'open'
  return (
    <Stack gap="xs" align="flex-start">
      <Title order={2} size="h3">
        Reviewers
      </Title>
      {reviewers.length === 0 ? (
        <Text size="sm" c="dimmed">
          No reviews yet.
        </Text>
      ) : (
        <ul className={classes['people']} aria-label="Reviewers">
          {reviewers.map((reviewer) => (
            <Row key={reviewer.user.username} num={discussion.num} reviewer={reviewer} mayAsk={mayAsk} />
          ))}
        </ul>
      )}
      {mayAsk && !isAsking && (
        <Button size="xs" variant="default" onClick={() => setIsAsking(true)}>
          Ask for a review
        </Button>
      )}
      <Suspense>
        {mayAsk && isAsking && <AskReviewer discussion={discussion} onClose={() => setIsAsking(false)} />}
      </Suspense>
    </Stack>
  )
}

function Row({ num, reviewer, mayAsk }: { num: number; reviewer: Reviewer; mayAsk: boolean }) {
  const { address } = useRepo()
  const request = useRequestReview(address, num)
  const { user, state, is_outdated: isOutdated, counts } = reviewer
  const { Icon, color, words } = looksOfReviewers[state]
  const ask = (isWanted: boolean) =>
    request.mutate({ user: user.username, isWanted }, { onError: notifyProblem })
  return (
    <li className={classes['reviewer']}>
      <span>
        <Person author={user} hasPicture />
      </span>
      <Text
        span
        size="sm"
        c={`var(--mantine-color-${color}-text)`}
        style={{ display: 'inline-flex', gap: 4, alignItems: 'center' }}
      >
        <Icon size={15} aria-hidden />
        {words}
      </Text>
      {isOutdated && (
        <Mark color="caution" title="There are new commits since">
          outdated
        </Mark>
      )}
      {!counts && (
        <Mark title="Verdicts of people who may not write to the repo are opinions">may not write</Mark>
      )}
      {mayAsk && (state === 'requested' || isOutdated) && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={24}
          loading={request.isPending}
          aria-label={
            state === 'requested'
              ? `Take back the request to ${user.username}`
              : `Ask ${user.username} for another review`
          }
          onClick={() => ask(state !== 'requested')}
        >
          {state === 'requested' ? <IconX size={15} /> : <IconRefresh size={15} />}
        </ActionIcon>
      )}
    </li>
  )
}
