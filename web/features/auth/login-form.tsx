import { Alert, Button, Divider, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useEffect, useState } from 'react'
import { ApiProblem } from '../../../shared/client.ts'
import { refusalText, showProblem } from '../../lib/form-errors.ts'
import { formatDuration } from '../../lib/format.ts'
import { useLogin, usePasskeySignIn, type FactorAsked } from './queries.ts'
import { SecondFactor } from './second-factor.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'

/** Username and password, and what else is asked for; counts down when too many attempts were made. */
export function LoginForm({ hasPasskeys }: { hasPasskeys: boolean }) {
  const form = useForm({ initialValues: { username: '', password: '' } })
  const login = useLogin()
  const [asked, setAsked] = useState<FactorAsked>()
  const [fault, setFault] = useState<string>()
  const [wait, setWait] = useCountdown()
  const submit = form.onSubmit((values) => {
    setFault(undefined)
    login.mutate(values, {
      onSuccess: (begun) => 'ticket' in begun && setAsked(begun),
      onError: (error) => {
        if (error instanceof ApiProblem && error.code === 'throttled') setWait(error.retryAfterS ?? 60)
        else setFault(showProblem(form, error))
      },
    })
  })
  if (asked) return <SecondFactor asked={asked} onBack={() => setAsked(undefined)} />
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {wait > 0 && (
          <Alert color="caution" title="Too many attempts">
            Try again in {formatDuration(wait)}.
          </Alert>
        )}
        {fault && wait === 0 && <Alert color="danger">{fault}</Alert>}
        <TextInput
          label="Username"
          autoComplete="username"
          required
          autoFocus
          data-autofocus
          {...form.getInputProps('username')}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={login.isPending} disabled={wait > 0}>
          Sign in
        </Button>
        {hasPasskeys && <PasskeyButton />}
      </Stack>
    </form>
  )
}

/** Signs in with a passkey alone. */
function PasskeyButton() {
  const signIn = usePasskeySignIn()
  const { error } = signIn
  return (
    <>
      <Divider label="or" />
      {error && <Alert color="danger">{refusalText(error)}</Alert>}
      <Button variant="default" loading={signIn.isPending} onClick={() => signIn.mutate()}>
        Sign in with a passkey
      </Button>
    </>
  )
}

function useCountdown(): [left: number, start: (seconds: number) => void] {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left])
  return [left, setLeft]
}
