import { Anchor, Badge, Button, Group, Stack, Table, Text, Title } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { browserName } from '../../lib/browser-name.ts'
import { notifyDone, notifyProblem } from '../../lib/notify.ts'
import { pages } from '../../lib/pages.ts'
import { tokenTree } from '../../lib/token-tree.ts'
import { Size, TimeAgo } from '../../ui/facts.tsx'
import { Loaded, Paged } from '../../ui/loaded.tsx'
import { RowTable } from '../../ui/row-table.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { TokenName } from '../../ui/token-name.tsx'
import {
  userQuery,
  userSessionsQuery,
  userTokensQuery,
  useRevokeUserToken,
  type AdminUser,
} from './queries.ts'
import { UserActions } from './user-actions.tsx'

/** `/admin/users/{id}`: one account, its sessions and its tokens. */
export function Component() {
  const { id = '' } = useParams()
  return (
    <Loaded query={useQuery(userQuery(id))}>
      {(user) => (
        <Stack gap="lg" className="in-order">
          <Head user={user} />
          <Facts user={user} />
          <Sessions id={id} />
          <Tokens id={id} />
        </Stack>
      )}
    </Loaded>
  )
}

function Head({ user }: { user: AdminUser }) {
  return (
    <Group justify="space-between" align="flex-start">
      <div>
        <Group gap="xs">
          <Title order={1}>{user.display_name || user.username}</Title>
          {user.is_admin && <Badge>admin</Badge>}
          {user.disabled && <Badge color="danger">disabled</Badge>}
        </Group>
        <Anchor component={Link} to={pages.namespace(user.username)} ff="monospace" size="sm">
          {user.username}
        </Anchor>
      </div>
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          component={Link}
          to={`/admin/audit?actor=${encodeURIComponent(user.username)}`}
        >
          Audit log
        </Button>
        <UserActions user={user} />
      </Group>
    </Group>
  )
}

function Facts({ user }: { user: AdminUser }) {
  const ways = [
    ...(user.has_password ? ['password'] : []),
    ...user.identities.map(({ provider, name }) => `${provider} (${name})`),
  ]
  const facts: [string, React.ReactNode][] = [
    ['Email', user.email ?? 'none'],
    ...(user.pending_email ? [['Waits for confirmation', user.pending_email] as [string, string]] : []),
    ['Signs in with', ways.join(', ') || 'nothing yet'],
    ['Repos', user.repo_count],
    ['Storage', <Size key="storage" bytes={user.storage_bytes} />],
    ['Joined', <TimeAgo key="joined" time={user.created_at} />],
    ['Last seen', user.last_seen_at ? <TimeAgo key="seen" time={user.last_seen_at} /> : 'never'],
  ]
  return (
    <Group gap="xl" component="dl" m={0}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <Text component="dt" size="xs" c="dimmed">
            {name}
          </Text>
          <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
            {value}
          </Text>
        </div>
      ))}
    </Group>
  )
}

function Sessions({ id }: { id: string }) {
  const query = useInfiniteQuery(userSessionsQuery(id))
  return (
    <Section title="Sessions" note="Browsers that are signed in as this user.">
      <Paged query={query} empty={<EmptyState picture="key" title="Not signed in anywhere" />}>
        {(sessions) => (
          <RowTable columns={['Browser', 'Address', 'Last seen', 'Ends']}>
            {sessions.map((session) => (
              <Table.Tr key={session.id}>
                <Table.Td title={session.user_agent}>{browserName(session.user_agent)}</Table.Td>
                <Table.Td data-label="Address" ff="monospace">
                  {session.ip}
                </Table.Td>
                <Table.Td data-label="Last seen">
                  <TimeAgo time={session.last_seen_at} />
                </Table.Td>
                <Table.Td data-label="Ends">
                  <TimeAgo time={session.expires_at} />
                </Table.Td>
              </Table.Tr>
            ))}
          </RowTable>
        )}
      </Paged>
    </Section>
  )
}

function Tokens({ id }: { id: string }) {
  const query = useInfiniteQuery(userTokensQuery(id))
  const revoke = useRevokeUserToken()
  return (
    <Section title="Tokens" note="A token made with another ends with it.">
      <Paged query={query} empty={<EmptyState picture="key" title="No tokens" />}>
        {(tokens) => (
          <RowTable columns={['Token', 'Scopes', 'Last used', 'Expires']} hasActions>
            {tokenTree(tokens).map(({ token, depth, parent }) => (
              <Table.Tr key={token.id}>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  <TokenName name={token.name} prefix={token.prefix} depth={depth} parent={parent} />
                </Table.Td>
                <Table.Td data-label="Scopes">{token.scopes.join(', ')}</Table.Td>
                <Table.Td data-label="Last used">
                  {token.last_used_at ? <TimeAgo time={token.last_used_at} /> : 'never'}
                </Table.Td>
                <Table.Td data-label="Expires">
                  {token.expires_at ? <TimeAgo time={token.expires_at} /> : 'never'}
                </Table.Td>
                <Table.Td ta="right">
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={`Revoke ${token.name}`}
                    onClick={() =>
                      revoke.mutate(
                        { id, token_id: token.id },
                        { onSuccess: () => notifyDone(`${token.name} revoked`), onError: notifyProblem },
                      )
                    }
                  >
                    Revoke
                  </Button>
                </Table.Td>
              </Table.Tr>
            ))}
          </RowTable>
        )}
      </Paged>
    </Section>
  )
}
