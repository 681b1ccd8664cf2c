import { Alert, Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { refusalText } from '../../lib/form-errors.ts'
import { useFinishLogin, type FactorAsked } from './queries.ts'

interface SecondFactorProps {
  asked: FactorAsked
  /** Back to the password. */
  onBack: () => void
}

/** The second step of a sign-in: a passkey, or a recovery code where it is lost. */
export function SecondFactor({ asked, onBack }: SecondFactorProps) {
  const [hasCode, setHasCode] = useState(!asked.passkey)
  const [code, setCode] = useState('')
  const finish = useFinishLogin(asked)
  const fault = finish.error && <Alert color="danger">{refusalText(finish.error)}</Alert>
  const back = (
    <Anchor component="button" type="button" size="sm" onClick={onBack}>
      Start again
    </Anchor>
  )
  if (!hasCode)
    return (
      <Stack gap="sm">
        <Text size="sm">Your password is right. Now confirm with your passkey.</Text>
        {fault}
        <Button data-autofocus autoFocus loading={finish.isPending} onClick={() => finish.mutate(undefined)}>
          Use your passkey
        </Button>
        <Anchor
          component="button"
          type="button"
          size="sm"
          onClick={() => {
            finish.reset()
            setHasCode(true)
          }}
        >
          Use a recovery code
        </Anchor>
        {back}
      </Stack>
    )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        finish.mutate(code)
      }}
    >
      <Stack gap="sm">
        <Text size="sm">
          {asked.recovery_codes_left === 0
            ? 'You have used every recovery code. Ask an operator of this server to reset your second factor.'
            : 'Enter one of the codes that you kept when you added your passkey. Each works once.'}
        </Text>
        {fault}
        <TextInput
          label="Recovery code"
          autoComplete="one-time-code"
          required
          autoFocus
          data-autofocus
          ff="monospace"
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button type="submit" loading={finish.isPending}>
          Continue
        </Button>
        {asked.passkey && (
          <Anchor
            component="button"
            type="button"
            size="sm"
            onClick={() => {
              finish.reset()
              setHasCode(false)
            }}
          >
            Use your passkey instead
          </Anchor>
        )}
        {back}
      </Stack>
    </form>
  )
}
