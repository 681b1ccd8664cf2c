import { Alert, Button, Checkbox, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { limits } from '../../../shared/vocabulary.ts'
import { showProblem } from '../../lib/form-errors.ts'
import { PasswordInput } from '../../ui/password-input.tsx'

/** What a person says who makes an account or sets a password. */
export type AccountValues = {
  username: string
  password: string
  email: string
  revoke_tokens: boolean
}

interface AccountFormProps {
  /** Which fields are shown besides the password. */
  fields: readonly ('username' | 'email' | 'revoke_tokens')[]
  action: string
  /** Sends the form; what it rejects with is shown at the fields. */
  onSubmit: (values: AccountValues) => Promise<unknown>
}

/** A new password, with what else an account needs. */
export function AccountForm({ fields, action, onSubmit }: AccountFormProps) {
  const form = useForm<AccountValues>({
    initialValues: { username: '', password: '', email: '', revoke_tokens: false },
  })
  const [fault, setFault] = useState<string>()
  const [isSending, setIsSending] = useState(false)
  const submit = form.onSubmit((values) => {
    setFault(undefined)
    setIsSending(true)
    onSubmit(values)
      .catch((error: unknown) => setFault(showProblem(form, error)))
      .finally(() => setIsSending(false))
  })
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {fault && <Alert color="danger">{fault}</Alert>}
        {fields.includes('username') && (
          <TextInput
            label="Username"
            description="Letters, digits, “_”, “-” and “.”. It stands in the address of your repos."
            autoComplete="username"
            required
            {...form.getInputProps('username')}
          />
        )}
        {fields.includes('email') && (
          <TextInput
            label="Email (optional)"
            description="It counts once an admin of this server has had you confirm it."
            type="email"
            autoComplete="email"
            {...form.getInputProps('email')}
          />
        )}
        <PasswordInput
          label="Password"
          description={`At least ${limits.passwordMin} characters that are hard to guess`}
          autoComplete="new-password"
          required
          {...form.getInputProps('password')}
        />
        {fields.includes('revoke_tokens') && (
          <Checkbox
            label="Also revoke my access tokens"
            description="Do this if somebody else may know them. Programs that use them stop working."
            {...form.getInputProps('revoke_tokens', { type: 'checkbox' })}
          />
        )}
        <Button type="submit" loading={isSending}>
          {action}
        </Button>
      </Stack>
    </form>
  )
}
