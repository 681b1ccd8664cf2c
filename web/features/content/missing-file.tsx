import { Alert, Button, Stack, Text } from '@mantine/core'
import { useNavigate } from 'react-router'
import { notifyProblem } from '../../lib/notify.ts'
import { pages } from '../../lib/pages.ts'
import { isMirror, useRepo } from '../../lib/repo-context.ts'
import { useMe } from '../../lib/session.ts'
import type { TreeEntry } from '../../lib/types.ts'
import { usePullFile } from './queries.ts'

/** A file of a mirror whose bytes are not here, and how they come. */
export function MissingFile({ file }: { file: TreeEntry }) {
  const me = useMe()
  const { address, repo } = useRepo()
  const navigate = useNavigate()
  const pull = usePullFile(address)
  const canPull = me && isMirror(repo) && file.presence === 'missing'
  return (
    <Alert color="pending" title={file.presence === 'pulling' ? 'On its way' : 'Not on this server'}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          {file.presence === 'pulling'
            ? 'The file is being pulled from the upstream.'
            : 'This repo holds a part of its upstream. The file has not been pulled.'}
        </Text>
        {canPull && (
          <Button
            size="xs"
            loading={pull.isPending}
            onClick={() =>
              pull.mutate(file.path, {
                onSuccess: (job) => void navigate(pages.job(job.id)),
                onError: notifyProblem,
              })
            }
          >
            Pull this file
          </Button>
        )}
      </Stack>
    </Alert>
  )
}
