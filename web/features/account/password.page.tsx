import { Alert, Button, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { limits } from '../../../shared/vocabulary.ts'
import { showProblem } from '../../lib/form-errors.ts'
import { notifyDone } from '../../lib/notify.ts'
import { useMe } from '../../lib/session.ts'
import { Section } from '../../ui/section.tsx'
import { useChangePassword } from './queries.ts'
import { PasswordInput } from '../../ui/password-input.tsx'

/** `/settings/password` */
export function Component() {
  const me = useMe()
  return (
    <Section title="Password" note="Changing it ends every other session; your tokens stay.">
      {me?.has_password === false ? (
        <Text>You sign in with an external provider and have no password here.</Text>
      ) : (
        <PasswordForm />
      )}
    </Section>
  )
}

function PasswordForm() {
  const form = useForm({ initialValues: { current_password: '', new_password: '' } })
  const change = useChangePassword()
  const [fault, setFault] = useState<string>()
  const submit = form.onSubmit((values) => {
    setFault(undefined)
    change.mutate(values, {
      onSuccess: () => {
        form.reset()
        notifyDone('Password changed')
      },
      onError: (error) => setFault(showProblem(form, error)),
    })
  })
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" maw={420}>
        {fault && <Alert color="danger">{fault}</Alert>}
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          required
          {...form.getInputProps('current_password')}
        />
        <PasswordInput
          label="New password"
          description={`At least ${limits.passwordMin} characters, not easily guessed`}
          autoComplete="new-password"
          required
          {...form.getInputProps('new_password')}
        />
        <Button type="submit" w="fit-content" loading={change.isPending}>
          Change password
        </Button>
      </Stack>
    </form>
  )
}
