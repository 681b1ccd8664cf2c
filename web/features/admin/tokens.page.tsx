import { Anchor, Badge, Button, Checkbox, Group, Table, Title } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { notifyDone, notifyProblem } from '../../lib/notify.ts'
import { pages } from '../../lib/pages.ts'
import { useQueryState } from '../../lib/query-state.ts'
import { TimeAgo } from '../../ui/facts.tsx'
import { Paged } from '../../ui/loaded.tsx'
import { FramedRows } from '../../ui/framed-rows.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { TokenName } from '../../ui/token-name.tsx'
import { instanceTokensQuery, useRevokeUserToken, type InstanceToken } from './queries.ts'

/** `/admin/tokens`: every access token that works, and which of them outlast the policies. */
export function Component() {
  const [search, set] = useQueryState()
  const isBeyond = search.get('beyond') === '1'
  const query = useInfiniteQuery({ ...instanceTokensQuery(isBeyond), placeholderData: keepPreviousData })
  return (
    <>
      <Title order={1} mb="md">
        Access tokens
      </Title>
      <Checkbox
        mb="md"
        label="Only those that outlast the policies"
        checked={isBeyond}
        onChange={(event) => set('beyond', event.currentTarget.checked ? '1' : '')}
      />
      <Paged
        query={query}
        empty={
          <EmptyState
            picture="key"
            title={isBeyond ? 'Every token is within the policies' : 'No access tokens yet'}
          />
        }
      >
        {(tokens) => (
          <FramedRows columns={['Token', 'User', 'Scopes', 'Last used', 'Expires']} hasActions>
            {tokens.map((token) => (
              <TokenRow key={token.id} token={token} />
            ))}
          </FramedRows>
        )}
      </Paged>
    </>
  )
}

function TokenRow({ token }: { token: InstanceToken }) {
  const { id, user_id, name, prefix, username, scopes, last_used_at, expires_at, beyond_policy } = token
  const revoke = useRevokeUserToken()
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <TokenName name={name} prefix={prefix} />
      </Table.Td>
      <Table.Td data-label="User">
        <Anchor component={Link} to={pages.namespace(username)} ff="monospace" size="sm">
          {username}
        </Anchor>
      </Table.Td>
      <Table.Td data-label="Scopes">{scopes.join(', ')}</Table.Td>
      <Table.Td data-label="Last used">{last_used_at ? <TimeAgo time={last_used_at} /> : 'never'}</Table.Td>
      <Table.Td data-label="Expires">
        <Group gap="xs">
          {expires_at ? <TimeAgo time={expires_at} /> : 'never'}
          {beyond_policy && (
            <Badge size="sm" color="caution">
              beyond policy
            </Badge>
          )}
        </Group>
      </Table.Td>
      <Table.Td ta="right">
        <Button
          size="xs"
          variant="default"
          aria-label={`Revoke ${name} of ${username}`}
          loading={revoke.isPending}
          onClick={() =>
            revoke.mutate(
              { id: user_id, token_id: id },
              { onSuccess: () => notifyDone(`${name} revoked`), onError: notifyProblem },
            )
          }
        >
          Revoke
        </Button>
      </Table.Td>
    </Table.Tr>
  )
}
