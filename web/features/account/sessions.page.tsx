import { Badge, Button, Group, Table, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { browserName } from '../../lib/browser-name.ts'
import { notifyProblem } from '../../lib/notify.ts'
import type { Session } from '../../lib/types.ts'
import { TimeAgo } from '../../ui/facts.tsx'
import { Paged } from '../../ui/loaded.tsx'
import { RowTable } from '../../ui/row-table.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { sessionsQuery, signInsQuery, useRevokeSession } from './queries.ts'

/** `/settings/sessions`: the browsers that are signed in, and the last sign-ins. */
export function Component() {
  const query = useInfiniteQuery(sessionsQuery)
  return (
    <>
      <Section title="Sessions" note="Browsers that are signed in as you.">
        <Paged query={query} empty={<EmptyState picture="key" title="No sessions" />}>
          {(sessions) => (
            <RowTable columns={['Browser', 'Address', 'Last seen']} hasActions>
              {sessions.map((session) => (
                <SessionRow key={session.id} session={session} />
              ))}
            </RowTable>
          )}
        </Paged>
      </Section>
      <SignIns />
    </>
  )
}

/** A sign-in that its owner does not recognise shows that others know the password. */
function SignIns() {
  const query = useInfiniteQuery(signInsQuery)
  return (
    <Section
      title="Sign-ins"
      note="Sign-ins to your account, newest first. Change your password if you do not recognise one."
    >
      <Paged query={query} empty={<EmptyState picture="key" title="No sign-ins" />}>
        {(signIns) => (
          <RowTable columns={['When', 'Browser', 'Address', 'Method']}>
            {signIns.map(({ id, at, client, ip, method, outcome }) => (
              <Table.Tr key={id}>
                <Table.Td>
                  <TimeAgo time={at} />
                </Table.Td>
                <Table.Td data-label="Browser" title={client}>
                  {browserName(client)}
                </Table.Td>
                <Table.Td data-label="Address" ff="monospace">
                  {ip}
                </Table.Td>
                <Table.Td data-label="Method">
                  <Group gap="xs">
                    {method}
                    {outcome === 'refused' && (
                      <Badge size="sm" color="danger">
                        refused
                      </Badge>
                    )}
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </RowTable>
        )}
      </Paged>
    </Section>
  )
}

function SessionRow({ session }: { session: Session }) {
  const revoke = useRevokeSession()
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs">
          <Text size="sm" lineClamp={1} maw={280} title={session.user_agent}>
            {browserName(session.user_agent)}
          </Text>
          {session.current && <Badge size="sm">this one</Badge>}
        </Group>
      </Table.Td>
      <Table.Td ff="monospace">{session.ip}</Table.Td>
      <Table.Td data-label="Last seen">
        <TimeAgo time={session.last_seen_at} />
      </Table.Td>
      <Table.Td ta="right">
        {!session.current && (
          <Button
            size="xs"
            variant="default"
            loading={revoke.isPending}
            onClick={() => revoke.mutate(session.id, { onError: notifyProblem })}
          >
            End
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
