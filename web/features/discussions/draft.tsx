import { Button, Text } from '@mantine/core'
import { IconGitPullRequestDraft } from '@tabler/icons-react'
import { problemText } from '../../lib/form-errors.ts'
import { useRepo } from '../../lib/repo-context.ts'
import type { Discussion } from '../../lib/types.ts'
import { MergeFrame } from './merge-frame.tsx'
import { useUpdateDiscussion } from './queries.ts'
import { useRights } from './rights.ts'

/** A pull request that cannot be merged until somebody says that it is ready. */
export default function Draft({ discussion }: { discussion: Discussion }) {
  const { address } = useRepo()
  const { canEdit } = useRights()
  const update = useUpdateDiscussion(address, discussion.num)
  return (
    <MergeFrame title="This is a draft" color="gray" icon={<IconGitPullRequestDraft size={18} />}>
      <Text size="sm">
        {canEdit(discussion)
          ? 'A draft cannot be merged. Say that it is ready once all commits are made.'
          : 'A draft cannot be merged. Its author, or a writer of the repo, says when it is ready.'}
      </Text>
      {canEdit(discussion) && (
        <Button
          size="xs"
          w="fit-content"
          loading={update.isPending}
          onClick={() => update.mutate({ draft: false })}
        >
          Ready for review
        </Button>
      )}
      {update.isError && (
        <Text size="sm" c="var(--mantine-color-danger-text)" role="alert">
          {problemText(update.error)}
        </Text>
      )}
    </MergeFrame>
  )
}
