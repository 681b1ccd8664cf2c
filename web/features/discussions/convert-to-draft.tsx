import { Button, Stack, Text, Title } from '@mantine/core'
import { IconGitPullRequestDraft } from '@tabler/icons-react'
import { notifyProblem } from '../../lib/notify.ts'
import { useRepo } from '../../lib/repo-context.ts'
import type { Discussion } from '../../lib/types.ts'
import { useUpdateDiscussion } from './queries.ts'
import { useRights } from './rights.ts'
import { standingOf } from './thread.ts'

/** Makes a draft of an open pull request, for those who may close it. */
export function ConvertToDraft({ discussion }: { discussion: Discussion }) {
  const { address } = useRepo()
  const { canEdit } = useRights()
  const update = useUpdateDiscussion(address, discussion.num)
  const isOpenPull = discussion.kind === 'pull_request' && standingOf(discussion) === 'open'
  if (!isOpenPull || !canEdit(discussion)) return null
  return (
    <Stack gap="xs" align="flex-start">
      <Title order={2} size="h4">
        Not ready yet?
      </Title>
      <Text size="xs" c="dimmed">
        A draft cannot be merged until somebody says that it is ready.
      </Text>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconGitPullRequestDraft size={14} />}
        loading={update.isPending}
        onClick={() => update.mutate({ draft: true }, { onError: notifyProblem })}
      >
        Convert to draft
      </Button>
    </Stack>
  )
}
