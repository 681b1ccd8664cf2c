import { Button, Group, Table, Text, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { notifyProblem } from '../../lib/notify.ts'
import { TimeAgo } from '../../ui/facts.tsx'
import { Paged } from '../../ui/loaded.tsx'
import { FramedRows } from '../../ui/framed-rows.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { NewInvite } from './new-invite.tsx'
import { invitesQuery, useRevokeInvite, type Invite } from './queries.ts'

/** `/admin/invites`: links that make an account and have not been used. */
export function Component() {
  const query = useInfiniteQuery(invitesQuery)
  const [isMaking, setIsMaking] = useState(false)
  return (
    <>
      <Group justify="space-between" mb="md" gap="sm">
        <Title order={1}>Invites</Title>
        <Button onClick={() => setIsMaking(true)}>New invite</Button>
      </Group>
      <Paged
        query={query}
        empty={
          <EmptyState picture="people" title="No open invites">
            An invite is a link with which one person makes an account. You pass it on yourself.
          </EmptyState>
        }
      >
        {(invites) => (
          <FramedRows columns={['For', 'What the account gets', 'Made by', 'Expires']} hasActions>
            {invites.map((invite) => (
              <InviteRow key={invite.id} invite={invite} />
            ))}
          </FramedRows>
        )}
      </Paged>
      {isMaking && <NewInvite onClose={() => setIsMaking(false)} />}
    </>
  )
}

const gets = ({ is_admin, orgs = [] }: Invite): string =>
  [...(is_admin ? ['admin of this server'] : []), ...orgs.map(({ ns, role }) => `${role} in ${ns}`)].join(
    ', ',
  )

function InviteRow({ invite }: { invite: Invite }) {
  const revoke = useRevokeInvite()
  const who = invite.username ?? invite.email ?? 'anyone who has the link'
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        {who}
        {invite.note && (
          <Text size="xs" c="dimmed">
            {invite.note}
          </Text>
        )}
      </Table.Td>
      <Table.Td data-label="Gets">{gets(invite) || 'an account'}</Table.Td>
      <Table.Td data-label="Made by">{invite.created_by ?? '–'}</Table.Td>
      <Table.Td data-label="Expires">
        <TimeAgo time={invite.expires_at} />
      </Table.Td>
      <Table.Td ta="right">
        <Button
          size="xs"
          variant="default"
          aria-label={`Revoke the invite for ${who}`}
          loading={revoke.isPending}
          onClick={() => revoke.mutate(invite.id, { onError: notifyProblem })}
        >
          Revoke
        </Button>
      </Table.Td>
    </Table.Tr>
  )
}
