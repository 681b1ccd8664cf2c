import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { accessRequestStatuses, type AccessRequestStatus } from '../../../shared/vocabulary.ts'
import { notifyProblem } from '../../lib/notify.ts'
import type { AccessRequest, RepoAddress } from '../../lib/types.ts'
import { TimeAgo } from '../../ui/facts.tsx'
import { Paged } from '../../ui/loaded.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { accessRequestsQuery, useDecideAccess } from './queries.ts'

/** Who asked for the files of a gated Repo, and the decision. */
export function AccessRequests({ address }: { address: RepoAddress }) {
  const [status, setStatus] = useState<AccessRequestStatus>('pending')
  const query = useInfiniteQuery(accessRequestsQuery(address, status))
  return (
    <Section title="Access requests">
      <SegmentedControl
        aria-label="Status"
        size="xs"
        w="fit-content"
        data={[...accessRequestStatuses]}
        value={status}
        onChange={(value) => setStatus(accessRequestStatuses.find((known) => known === value) ?? 'pending')}
      />
      <Paged query={query} empty={<EmptyState title={`No ${status} requests`} />}>
        {(requests) => (
          <Stack gap="sm">
            {requests.map((request) => (
              <RequestRow key={request.id} address={address} request={request} />
            ))}
          </Stack>
        )}
      </Paged>
    </Section>
  )
}

function RequestRow({ address, request }: { address: RepoAddress; request: AccessRequest }) {
  const decide = useDecideAccess(address)
  const choose = (status: 'accepted' | 'rejected') =>
    decide.mutate({ id: request.id, status }, { onError: notifyProblem })
  return (
    <Group justify="space-between" align="flex-start">
      <div>
        <Text size="sm">
          <Text span ff="monospace" inherit fw={500}>
            {nameOf(request.user)}
          </Text>
          , <TimeAgo time={request.requested_at} />
        </Text>
        {request.message && (
          <Text size="sm" c="dimmed">
            {request.message}
          </Text>
        )}
      </div>
      <Group gap="xs">
        {request.status !== 'rejected' && (
          <Button size="xs" variant="default" loading={decide.isPending} onClick={() => choose('rejected')}>
            {request.status === 'accepted' ? 'Withdraw' : 'Reject'}
          </Button>
        )}
        {request.status !== 'accepted' && (
          <Button size="xs" loading={decide.isPending} onClick={() => choose('accepted')}>
            Accept
          </Button>
        )}
      </Group>
    </Group>
  )
}

const nameOf = (user: AccessRequest['user']): string => user
