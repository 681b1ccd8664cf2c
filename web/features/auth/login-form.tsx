import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useEffect, useState } from 'react'
import { ApiProblem } from '../../../shared/client.ts'
import { showProblem } from '../../lib/form-errors.ts'
import { formatDuration } from '../../lib/format.ts'
import { useLogin } from './queries.ts'

/** Username and password; counts down when too many attempts were made. */
export function LoginForm() {
  const form = useForm({ initialValues: { username: '', password: '' } })
  const login = useLogin()
  const [fault, setFault] = useState<string>()
  const [wait, setWait] = useCountdown()
  const submit = form.onSubmit((values) => {
    setFault(undefined)
    login.mutate(values, {
      onError: (error) => {
        if (error instanceof ApiProblem && error.code === 'throttled') setWait(error.retryAfterS ?? 60)
        else setFault(showProblem(form, error))
      },
    })
  })
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
          visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={login.isPending} disabled={wait > 0}>
          Sign in
        </Button>
      </Stack>
    </form>
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
