import { Alert, Button, Group, Text } from '@mantine/core'
import { formatExactTime } from '../../lib/format.ts'
import { notifyProblem } from '../../lib/notify.ts'
import type { Repo, RepoAddress } from '../../lib/types.ts'
import { useRestoreRepo } from './queries.ts'

/** Says that the repo is deleted, and until when it can be restored. */
export default function DeletedNotice({ repo, address }: { repo: Repo; address: RepoAddress }) {
  const restore = useRestoreRepo(address)
  return (
    <Alert color="danger" title="This repo is deleted" mb="md">
      <Group justify="space-between">
        <Text size="sm">
          {repo.restore_until
            ? `It can be restored until ${formatExactTime(repo.restore_until)}, then it is gone.`
            : 'It can be restored until the restore window of this server ends, then it is gone.'}
        </Text>
        <Button
          size="xs"
          loading={restore.isPending}
          onClick={() => restore.mutate(undefined, { onError: notifyProblem })}
        >
          Restore
        </Button>
      </Group>
    </Alert>
  )
}
