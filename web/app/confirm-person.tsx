import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../lib/api.ts'
import { problemText } from '../lib/form-errors.ts'
import { signWithPasskey } from '../lib/passkeys.ts'
import { askMe, useMe } from '../lib/session.ts'
import { providersQuery } from '../lib/sign-in.ts'
import type { Me } from '../lib/types.ts'
import { Dialog } from '../ui/dialog.tsx'
import { PasswordInput } from '../ui/password-input.tsx'

const notYet = 'You have not signed in again yet. Do that in the other tab first, then come back.'

interface ConfirmPersonProps {
  /** Whether they said that they had, and the server still asks: only a provider's tab can be left unused. */
  isRepeated: boolean
  onEnd: (isDone: boolean) => void
}

/** Has a person prove again who they are, by password, passkey or provider; what they were about to do follows. */
export function ConfirmPerson({ isRepeated, onEnd }: ConfirmPersonProps) {
  const me = useMe()
  const [fault, setFault] = useState(isRepeated ? notYet : undefined)
  const [isSending, setIsSending] = useState(false)
  if (!me) return null
  const prove = (proof: () => Promise<unknown>) => {
    setFault(undefined)
    setIsSending(true)
    proof()
      .then(
        () => onEnd(true),
        (error: unknown) => setFault(problemText(error)),
      )
      .finally(() => setIsSending(false))
  }
  return (
    <Dialog title="Confirm that it is you" onClose={() => onEnd(false)} zIndex={300}>
      <Stack gap="md">
        <Text size="sm">
          You signed in more than 10 minutes ago. This step needs you to confirm who you are.
        </Text>
        {fault && <Alert color="danger">{fault}</Alert>}
        {me.second_factor.passkeys > 0 && <ByPasskey isSending={isSending} prove={prove} />}
        {me.has_password && <ByPassword isSending={isSending} prove={prove} />}
        {me.identities.length > 0 && <ByProvider me={me} isSending={isSending} prove={prove} />}
      </Stack>
    </Dialog>
  )
}

interface Proving {
  isSending: boolean
  prove: (proof: () => Promise<unknown>) => void
}

function ByPasskey({ isSending, prove }: Proving) {
  const confirm = async () => {
    const passkey = await signWithPasskey(await api.createConfirmationOptions())
    await api.confirmSession({ body: { passkey } })
  }
  return (
    <Button variant="default" loading={isSending} onClick={() => prove(confirm)}>
      Use a passkey
    </Button>
  )
}

function ByPassword({ isSending, prove }: Proving) {
  const [password, setPassword] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        // A form within a dialog over another form must not send that one.
        event.stopPropagation()
        prove(() => api.confirmSession({ body: { current_password: password } }))
      }}
    >
      <Stack gap="sm">
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          required
          data-autofocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={isSending}>
            Confirm
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** A sign-in with the provider in another tab renews the session of both. */
function ByProvider({ me, isSending, prove }: Proving & { me: Me }) {
  const { data } = useQuery(providersQuery)
  const own = (data?.providers ?? []).filter(({ id }) =>
    me.identities.some(({ provider }) => provider === id),
  )
  if (own.length === 0) return null
  const proceed = async () => {
    const now = await askMe()
    if (now?.id !== me.id) throw new Error(`Sign in as ${me.username} in the other tab, then come back.`)
  }
  return (
    <Stack gap="xs">
      {own.map(({ id, name, start_url }) => (
        <Anchor key={id} size="sm" target="_blank" href={`${start_url}?confirm=1&next=/settings/sign-in`}>
          Sign in with {name} in another tab
        </Anchor>
      ))}
      <Button variant="default" loading={isSending} onClick={() => prove(proceed)}>
        I have signed in again
      </Button>
    </Stack>
  )
}
