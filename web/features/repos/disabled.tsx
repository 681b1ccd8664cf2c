import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { notifyDone, notifyProblem } from '../../lib/notify.ts'
import { hasRole } from '../../lib/repo-context.ts'
import type { Repo, RepoAddress } from '../../lib/types.ts'
import { TimeAgo } from '../../ui/facts.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { useDisableRepo } from './queries.ts'

export interface DisabledProps {
  repo: Repo
  address: RepoAddress
}

type Disabled = NonNullable<Repo['disabled']>

/** Stands where the card and the files of a disabled repo would be, for all but instance admins. */
export function DisabledContent({ repo, disabled }: { repo: Repo; disabled: Disabled }) {
  return (
    <EmptyState picture="lock" title={`This ${repo.type} is disabled`}>
      <Stack gap="xs">
        <div>
          The people who run this server closed its files <TimeAgo time={disabled.since} />.
        </div>
        <Reason disabled={disabled} />
        <div>
          {hasRole(repo, 'admin')
            ? 'Ask them to enable it again; you can still read its community, change its settings and delete it.'
            : 'Ask them, or the people who own it.'}
        </div>
      </Stack>
    </EmptyState>
  )
}

/** Tells an instance admin, who still sees everything, that others do not, and undoes it. */
export function DisabledNotice({ repo, address, disabled }: DisabledProps & { disabled: Disabled }) {
  return (
    <Alert color="danger" title={`This ${repo.type} is disabled`} mb="md">
      <Group justify="space-between" gap="sm">
        <Stack gap={4} style={{ flex: '1 1 240px' }}>
          <Text size="sm" component="div">
            Only admins of this server see its files; they were closed <TimeAgo time={disabled.since} />.
          </Text>
          <Reason disabled={disabled} />
        </Stack>
        <EnableButton repo={repo} address={address} />
      </Group>
    </Alert>
  )
}

/** Why a repo is disabled, where that was said. */
export function Reason({ disabled: { reason } }: { disabled: Disabled }) {
  if (!reason) return null
  return (
    <Text size="sm" component="div" c="var(--mantine-color-text)" style={wrapped}>
      <strong>Reason:</strong> {reason}
    </Text>
  )
}

const wrapped = { overflowWrap: 'anywhere', whiteSpace: 'pre-line' } as const

/** Gives the files of a disabled repo out again. */
export function EnableButton({ repo, address }: DisabledProps) {
  const change = useDisableRepo(repo.id, address)
  return (
    <Button
      size="xs"
      variant="default"
      w="fit-content"
      loading={change.isPending}
      onClick={() =>
        change.mutate(
          { disabled: false },
          { onSuccess: () => notifyDone(`The ${repo.type} is enabled`), onError: notifyProblem },
        )
      }
    >
      Enable this {repo.type}
    </Button>
  )
}
