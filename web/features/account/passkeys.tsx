import { Alert, Button, Group, Stack, Table, Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { notifyDone, notifyProblem } from '../../lib/notify.ts'
import { providersQuery } from '../../lib/sign-in.ts'
import type { Me, Passkey } from '../../lib/types.ts'
import { TimeAgo } from '../../ui/facts.tsx'
import { Paged } from '../../ui/loaded.tsx'
import { RowTable } from '../../ui/row-table.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { PasskeyName } from './passkey-name.tsx'
import { passkeysQuery, useAddPasskey, useRemovePasskey, useRenamePasskey } from './queries.ts'
import { RecoveryCodes, RecoverySection } from './recovery-codes.tsx'

/** Passkeys and recovery codes of a local account, or why there are none. */
export function Passkeys({ me }: { me: Me }) {
  const { data } = useQuery(providersQuery)
  if (!data) return null
  const isByProvider = !me.has_password || (!data.local && me.identities.length > 0)
  const reason = isByProvider
    ? 'You sign in with a provider, which asks for your second factor. Set it up there.'
    : data.passkeys.reason
  return (
    <>
      <Section
        title="Passkeys"
        note="A passkey is kept by your device or security key. It signs you in alone, and it is asked for after your password."
      >
        {me.second_factor.is_missing && (
          <Alert color="caution" title="Admins of this server need a second factor">
            {reason === undefined
              ? 'Add a passkey. Until then you can use your account, but not act as an admin.'
              : 'Sign in with a provider. Until then you can use your account, but not act as an admin.'}
          </Alert>
        )}
        {reason !== undefined && me.second_factor.passkeys === 0 ? (
          <Text size="sm">{reason}</Text>
        ) : (
          <Own reason={reason} />
        )}
      </Section>
      {me.second_factor.passkeys > 0 && <RecoverySection me={me} />}
    </>
  )
}

function Own({ reason }: { reason: string | undefined }) {
  const query = useInfiniteQuery(passkeysQuery)
  const [isNaming, setIsNaming] = useState(false)
  const [codes, setCodes] = useState<string[]>()
  const add = useAddPasskey()
  const create = (
    <Button size="xs" w="fit-content" leftSection={<IconPlus size={14} />} onClick={() => setIsNaming(true)}>
      Add a passkey
    </Button>
  )
  return (
    <>
      {reason !== undefined && <Text size="sm">{reason}</Text>}
      {isNaming && (
        <PasskeyName
          title="Add a passkey"
          action="Continue"
          note="Your browser asks for the device next. From then on the password alone no longer signs you in."
          change={add}
          onDone={(made) => {
            setIsNaming(false)
            notifyDone('Passkey added')
            setCodes(made?.recovery_codes)
          }}
          onClose={() => setIsNaming(false)}
        />
      )}
      {codes && <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />}
      <Paged
        query={query}
        empty={
          <EmptyState
            picture="key"
            title="No passkeys yet"
            action={reason === undefined ? create : undefined}
          >
            With one, a stolen password is not enough to sign in as you.
          </EmptyState>
        }
      >
        {(passkeys) => (
          <Stack gap="sm">
            {reason === undefined && create}
            <RowTable columns={['Name', 'Added', 'Last used']} hasActions>
              {passkeys.map((passkey) => (
                <PasskeyRow key={passkey.id} passkey={passkey} isLast={passkeys.length === 1} />
              ))}
            </RowTable>
          </Stack>
        )}
      </Paged>
    </>
  )
}

function PasskeyRow({ passkey, isLast }: { passkey: Passkey; isLast: boolean }) {
  const { id, name, created_at, last_used_at } = passkey
  const rename = useRenamePasskey(id)
  const remove = useRemovePasskey()
  const [isNaming, setIsNaming] = useState(false)
  const end = () =>
    remove.mutate(id, {
      onSuccess: () =>
        notifyDone(isLast ? `${name} removed. Your password alone signs you in again` : `${name} removed`),
      onError: notifyProblem,
    })
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>{name}</Table.Td>
      <Table.Td data-label="Added">
        <TimeAgo time={created_at} />
      </Table.Td>
      <Table.Td data-label="Last used">{last_used_at ? <TimeAgo time={last_used_at} /> : 'never'}</Table.Td>
      <Table.Td ta="right">
        <Group gap="xs" justify="flex-end">
          <Button size="xs" variant="default" aria-label={`Rename ${name}`} onClick={() => setIsNaming(true)}>
            Rename
          </Button>
          <Button
            size="xs"
            variant="default"
            aria-label={`Remove ${name}`}
            loading={remove.isPending}
            onClick={end}
          >
            Remove
          </Button>
        </Group>
        {isNaming && (
          <PasskeyName
            title={`Rename ${name}`}
            action="Save"
            initial={name}
            change={rename}
            onDone={() => setIsNaming(false)}
            onClose={() => setIsNaming(false)}
          />
        )}
      </Table.Td>
    </Table.Tr>
  )
}
