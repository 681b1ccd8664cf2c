import { Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { TimeAgo } from '../../ui/facts.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { RowTable } from '../../ui/row-table.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { savedTokenQuery, upstreamsQuery } from './queries.ts'
import { TokenButton } from './token-dialog.tsx'

/** `/settings/upstream-tokens`: one's own tokens of other hubs. */
export function Component() {
  const query = useQuery(upstreamsQuery)
  return (
    <Section
      title="Upstream tokens"
      note="With your token of another hub you see and pull what it shows to you alone. Tokens are stored encrypted."
    >
      <Loaded query={query}>
        {({ items }) =>
          items.length > 0 ? (
            <RowTable columns={['Hub', 'Your token']} hasActions>
              {items.map((upstream) => (
                <UpstreamRow key={upstream.id} upstream={upstream} />
              ))}
            </RowTable>
          ) : (
            <EmptyState title="No other hubs">
              An admin of this server can add the hubs that repos are pulled from.
            </EmptyState>
          )
        }
      </Loaded>
    </Section>
  )
}

function UpstreamRow({ upstream }: { upstream: { id: string; name: string } }) {
  const { data: token } = useQuery(savedTokenQuery(upstream.id))
  const label = token?.saved ? 'Change' : 'Add'
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={500}>
          {upstream.name}
        </Text>
      </Table.Td>
      <Table.Td data-label="Your token">
        <Text size="sm" c="dimmed" component="div">
          {token?.saved ? (
            <>
              {token.valid === true ? 'accepted by the hub' : 'not confirmed yet'}
              {token.saved_at && (
                <>
                  , saved <TimeAgo time={token.saved_at} />
                </>
              )}
            </>
          ) : (
            token && 'none'
          )}
        </Text>
      </Table.Td>
      <Table.Td ta="right">
        <TokenButton upstream={upstream} label={label} spoken={`${label} your token of ${upstream.name}`} />
      </Table.Td>
    </Table.Tr>
  )
}
