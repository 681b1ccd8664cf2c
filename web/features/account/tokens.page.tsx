import { Badge, Button, Group, Stack, Table, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { IconPlus } from '@tabler/icons-react'
import { notifyProblem } from '../../lib/notify.ts'
import { tokenTree, type PlacedToken } from '../../lib/token-tree.ts'
import type { Token } from '../../lib/types.ts'
import { TimeAgo } from '../../ui/facts.tsx'
import { Paged } from '../../ui/loaded.tsx'
import { RowTable } from '../../ui/row-table.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { TokenName } from '../../ui/token-name.tsx'
import { NewToken } from './new-token.tsx'
import { tokensQuery, useRevokeToken } from './queries.ts'

/** `/settings/tokens`: what scripts, git and hub clients sign in with. */
export function Component() {
  const query = useInfiniteQuery(tokensQuery)
  const [isOpen, { open, close }] = useDisclosure(false)
  const create = (
    <Button size="xs" leftSection={<IconPlus size={14} />} onClick={open} w="fit-content">
      New token
    </Button>
  )
  return (
    <Section
      title="Tokens"
      note="For hub clients, git and scripts. Tokens can't exceed your own permissions."
    >
      {isOpen && <NewToken onClose={close} />}
      <Paged
        query={query}
        empty={
          <EmptyState picture="key" title="No tokens yet" deed={{ kind: 'sign-in' }} action={create}>
            Make one here, or let the command line ask for one:
          </EmptyState>
        }
      >
        {(tokens) => (
          <Stack gap="sm">
            {create}
            <TokenTable tokens={tokens} />
          </Stack>
        )}
      </Paged>
    </Section>
  )
}

function TokenTable({ tokens }: { tokens: Token[] }) {
  return (
    <RowTable columns={['Name', 'Scopes', 'Last used', 'Expires']} hasActions>
      {tokenTree(tokens).map((placed) => (
        <TokenRow key={placed.token.id} {...placed} />
      ))}
    </RowTable>
  )
}

function TokenRow({ token, depth, parent }: PlacedToken<Token>) {
  const revoke = useRevokeToken()
  const restriction = [
    ...(token.namespaces ?? []),
    ...(token.repos ?? []).map((repo) => `${repo.ns}/${repo.name}`),
  ]
  return (
    <Table.Tr>
      <Table.Td>
        <TokenName name={token.name} prefix={token.prefix} depth={depth} parent={parent} />
      </Table.Td>
      <Table.Td>
        <Group gap={4}>
          {token.scopes.map((scope) => (
            <Badge key={scope} size="sm" variant="light">
              {scope}
            </Badge>
          ))}
        </Group>
        {restriction.length > 0 && (
          <Text size="xs" c="dimmed" ff="monospace">
            only {restriction.join(', ')}
          </Text>
        )}
      </Table.Td>
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
          loading={revoke.isPending}
          aria-label={`Revoke ${token.name}`}
          onClick={() => revoke.mutate(token.id, { onError: notifyProblem })}
        >
          Revoke
        </Button>
      </Table.Td>
    </Table.Tr>
  )
}
