import { Anchor, Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { accessRequestStatuses, type AccessRequestStatus } from '../../../shared/vocabulary.ts'
import { notifyProblem } from '../../lib/notify.ts'
import { pages } from '../../lib/pages.ts'
import type { AccessRequest, RepoAddress } from '../../lib/types.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { TimeAgo } from '../../ui/facts.tsx'
import { Paged } from '../../ui/loaded.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { accessRequestsQuery, useDecideAccess } from './queries.ts'

/** Who asked for the files of a gated repo, and the decision. */
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
      <Paged query={query} empty={<EmptyState picture="people" title={`No ${status} requests`} />}>
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
  const [isRejecting, setIsRejecting] = useState(false)
  const decide = useDecideAccess(address)
  const accept = () => decide.mutate({ id: request.id, status: 'accepted' }, { onError: notifyProblem })
  const reject = (reason: string) =>
    decide.mutate(
      { id: request.id, status: 'rejected', ...(reason ? { reason } : {}) },
      { onError: notifyProblem },
    )
  return (
    <Group justify="space-between" align="flex-start">
      <Asked request={request} />
      <Group gap="xs">
        {request.status !== 'rejected' && !isRejecting && (
          <Button size="xs" variant="default" onClick={() => setIsRejecting(true)}>
            {request.status === 'accepted' ? 'Withdraw' : 'Reject'}
          </Button>
        )}
        {request.status !== 'accepted' && !isRejecting && (
          <Button size="xs" loading={decide.isPending} onClick={accept}>
            Accept
          </Button>
        )}
        {isRejecting && (
          <Rejection isPending={decide.isPending} onReject={reject} onCancel={() => setIsRejecting(false)} />
        )}
      </Group>
    </Group>
  )
}

/** Who asks, and what they say. */
function Asked({ request }: { request: AccessRequest }) {
  return (
    <div>
      <Text size="sm" component="div">
        <Anchor component={Link} to={pages.namespace(request.user)} ff="monospace" inherit fw={500}>
          {request.user}
        </Anchor>
        , <TimeAgo time={request.requested_at} />
        {request.decided_by && ` · ${request.status} by ${request.decided_by}`}
      </Text>
      {request.message && (
        <Text size="sm" c="dimmed">
          {request.message}
        </Text>
      )}
      {Object.entries(request.fields ?? {}).map(([name, answer]) => (
        <Text size="sm" c="dimmed" key={name}>
          {name}: {answer === 'true' ? 'yes' : answer}
        </Text>
      ))}
      {request.reason && <Text size="sm">Reason: {request.reason}</Text>}
    </div>
  )
}

interface RejectionProps {
  isPending: boolean
  onReject: (reason: string) => void
  onCancel: () => void
}

function Rejection({ isPending, onReject, onCancel }: RejectionProps) {
  const [reason, setReason] = useState('')
  useUnsaved(reason !== '')
  return (
    <>
      <TextInput
        size="xs"
        aria-label="Reason"
        placeholder="Reason, if you like"
        maxLength={2000}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <Button size="xs" color="danger" loading={isPending} onClick={() => onReject(reason.trim())}>
        Reject
      </Button>
      <Button size="xs" variant="default" onClick={onCancel}>
        Cancel
      </Button>
    </>
  )
}
