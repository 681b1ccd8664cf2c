import { Alert, Button, Group, Text } from '@mantine/core'
import { Link, useLocation } from 'react-router'
import { formatExactTime } from '../../lib/format.ts'
import { notifyProblem } from '../../lib/notify.ts'
import { pages } from '../../lib/pages.ts'
import { hasRole } from '../../lib/repo-context.ts'
import { useMe } from '../../lib/session.ts'
import type { Repo, RepoAddress } from '../../lib/types.ts'
import { late } from '../../ui/late.tsx'
import { useRestoreRepo } from './queries.ts'

// Only those who must ask need it, and it brings Markdown along.
const AccessForm = late(() => import('./access-form.tsx'))

interface NoticeProps {
  repo: Repo
  address: RepoAddress
}

/** Says when the repo is deleted, or when its files must be asked for, and offers the way on. */
export function AccessNotice({ repo, address }: NoticeProps) {
  if (repo.deleted_at) return <DeletedNotice repo={repo} address={address} />
  if (!repo.gated || hasRole(repo, 'write') || repo.access === 'accepted') return null
  return <GateNotice repo={repo} address={address} />
}

function DeletedNotice({ repo, address }: NoticeProps) {
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

function GateNotice({ repo, address }: NoticeProps) {
  const me = useMe()
  const here = useLocation()
  if (!me)
    return (
      <Alert color="pending" title="Request access to these files" mb="md" id="access">
        <Button size="xs" component={Link} to={pages.login(here.pathname)}>
          Sign in to ask
        </Button>
      </Alert>
    )
  if (repo.access === 'pending')
    return (
      <Alert color="pending" title="Access requested" mb="md" id="access">
        The people who own this repo have yet to decide.
      </Alert>
    )
  return (
    <div id="access">
      <AccessForm repo={repo} address={address} />
    </div>
  )
}
