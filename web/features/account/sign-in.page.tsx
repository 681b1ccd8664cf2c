import { Alert, Button, Group, PasswordInput, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiProblem } from '../../../shared/client.ts'
import { problemText } from '../../lib/form-errors.ts'
import { notifyDone, notifyProblem } from '../../lib/notify.ts'
import { useMe } from '../../lib/session.ts'
import { providersQuery } from '../../lib/sign-in.ts'
import type { Me } from '../../lib/types.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { RowTable } from '../../ui/row-table.tsx'
import { Section } from '../../ui/section.tsx'
import { useConnectIdentity, useDisconnectIdentity } from './queries.ts'

/** `/settings/sign-in`: the ways into one's account. */
export function Component() {
  const me = useMe()
  const query = useQuery(providersQuery)
  if (!me) return null
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
              <Table.Td data-label="Status">{me.has_password ? me.username : 'not set'}</Table.Td>
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
  const [isAsking, setIsAsking] = useState(false)
  const begin = () =>
    connect.mutate(
      { provider: id },
      {
        onSuccess: ({ start_url }) => window.location.assign(start_url),
        onError: (error) =>
          error instanceof ApiProblem && error.code === 'fresh-sign-in-required'
            ? setIsAsking(true)
            : notifyProblem(error),
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
        {isAsking && <Proof id={id} name={name} me={me} onClose={() => setIsAsking(false)} />}
      </Table.Td>
    </Table.Tr>
  )
}

/** An older session proves with the password whose it is. */
function Proof({ id, name, me, onClose }: { id: string; name: string; me: Me; onClose: () => void }) {
  const connect = useConnectIdentity()
  const [password, setPassword] = useState('')
  const [fault, setFault] = useState<string>()
  return (
    <Dialog onClose={onClose} title={`Connect ${name}`}>
      {me.has_password ? (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            connect.mutate(
              { provider: id, current_password: password },
              {
                onSuccess: ({ start_url }) => window.location.assign(start_url),
                onError: (error) => setFault(problemText(error)),
              },
            )
          }}
        >
          <Stack gap="sm">
            {fault && <Alert color="danger">{fault}</Alert>}
            <Text size="sm">You signed in more than 10 minutes ago. Enter your password to continue.</Text>
            <PasswordInput
              label="Current password"
              autoComplete="current-password"
              required
              data-autofocus
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
            />
            <Group justify="flex-end">
              <Button type="submit" loading={connect.isPending}>
                Continue
              </Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <Text size="sm">
          You signed in more than 10 minutes ago. Sign out, sign in again, then connect {name}.
        </Text>
      )}
    </Dialog>
  )
}
