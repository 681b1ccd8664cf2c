import { Button, Stack, Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { notifyDone, notifyProblem } from '../../lib/notify.ts'
import { useMe } from '../../lib/session.ts'
import { providersQuery } from '../../lib/sign-in.ts'
import type { Me } from '../../lib/types.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { RowTable } from '../../ui/row-table.tsx'
import { Section } from '../../ui/section.tsx'
import { Passkeys } from './passkeys.tsx'
import { useConnectIdentity, useDisconnectIdentity } from './queries.ts'

/** `/settings/sign-in`: the ways into one's account. */
export function Component() {
  const me = useMe()
  if (!me) return null
  return (
    <Stack gap="md">
      <Ways me={me} />
      <Passkeys me={me} />
    </Stack>
  )
}

function Ways({ me }: { me: Me }) {
  const query = useQuery(providersQuery)
  return (
    <Section
      title="Sign-in methods"
      note="Connect a provider to sign in with it. Your account keeps at least one way in."
    >
      <Loaded query={query}>
        {({ providers }) => (
          <RowTable columns={['Method', 'You are known there as']} hasActions>
            <Table.Tr>
              <Table.Td>Password</Table.Td>
              <Table.Td data-label="You are known there as">
                {me.has_password ? me.username : 'not set'}
              </Table.Td>
              <Table.Td />
            </Table.Tr>
            {namesOf(providers, me).map(({ id, name, isOffered }) => (
              <ProviderRow key={id} me={me} id={id} name={name} isOffered={isOffered} />
            ))}
          </RowTable>
        )}
      </Loaded>
    </Section>
  )
}

/** The providers of this server, and those that are gone from it while the account is still connected. */
function namesOf(providers: { id: string; name: string }[], me: Me) {
  const known = new Set(providers.map(({ id }) => id))
  const gone = me.identities.filter(({ provider }) => !known.has(provider))
  return [
    ...providers.map(({ id, name }) => ({ id, name, isOffered: true })),
    ...gone.map(({ provider }) => ({
      id: provider,
      name: `${provider} (no longer offered)`,
      isOffered: false,
    })),
  ]
}

interface ProviderRowProps {
  me: Me
  id: string
  name: string
  isOffered: boolean
}

function ProviderRow({ me, id, name, isOffered }: ProviderRowProps) {
  const identity = me.identities.find(({ provider }) => provider === id)
  const connect = useConnectIdentity()
  const disconnect = useDisconnectIdentity()
  const begin = () =>
    connect.mutate(
      { provider: id },
      {
        onSuccess: ({ start_url }) => window.location.assign(start_url),
        onError: notifyProblem,
      },
    )
  const end = () =>
    disconnect.mutate(id, { onSuccess: () => notifyDone(`${name} disconnected`), onError: notifyProblem })
  return (
    <Table.Tr>
      <Table.Td>{name}</Table.Td>
      <Table.Td data-label="Known as" style={{ overflowWrap: 'anywhere' }}>
        {identity?.name ?? 'not connected'}
      </Table.Td>
      <Table.Td ta="right">
        {identity ? (
          <Button
            size="xs"
            variant="default"
            aria-label={`Disconnect ${name}`}
            loading={disconnect.isPending}
            onClick={end}
          >
            Disconnect
          </Button>
        ) : (
          isOffered && (
            <Button size="xs" aria-label={`Connect ${name}`} loading={connect.isPending} onClick={begin}>
              Connect
            </Button>
          )
        )}
      </Table.Td>
    </Table.Tr>
  )
}
