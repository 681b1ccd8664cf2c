import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { notifyProblem } from '../../../lib/notify.ts'
import { useRepo } from '../../../lib/repo-context.ts'
import type { Discussion, DiscussionEvent } from '../../../lib/types.ts'
import { useResolve } from '../queries.ts'
import { useRights } from '../rights.ts'

interface ThreadActionsProps {
  discussion: Discussion
  /** The thread's first comment. */
  first: DiscussionEvent
  children?: ReactNode
}

/** Resolves or reopens a thread on lines of a diff. */
export function ThreadActions({ discussion, first, children }: ThreadActionsProps) {
  const { address } = useRepo()
  const { canSpeak, canEdit } = useRights()
  const resolve = useResolve(address, discussion.num)
  const isResolved = first.resolved_at !== undefined
  const mayResolve = canSpeak && (canEdit(first) || canEdit(discussion))
  if (!mayResolve && !children) return null
  return (
    <Group gap="xs" px="md" pb="sm">
      {children}
      {mayResolve && (
        <Button
          size="compact-xs"
          variant="default"
          loading={resolve.isPending}
          onClick={() => resolve.mutate({ id: first.id, isWanted: !isResolved }, { onError: notifyProblem })}
        >
          {isResolved ? 'Reopen' : 'Resolve'}
        </Button>
      )}
    </Group>
  )
}
