import { Alert, Checkbox, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { showProblem } from '../../lib/form-errors.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { MadeLink } from './made-link.tsx'
import { useCreateUser } from './queries.ts'

/** Makes an account, and shows the link by which its person sets a password. */
export function NewUser({ onClose }: { onClose: () => void }) {
  const create = useCreateUser()
  const form = useForm({ initialValues: { username: '', display_name: '', email: '', is_admin: false } })
  const [fault, setFault] = useState<string>()
  useUnsaved(!create.data && form.isDirty())
  const link = create.data?.reset_link
  if (create.data && link) {
    const { username } = create.data
    const purpose = `${username} sets a password with it.`
    return <MadeLink title={`Account ${username}`} purpose={purpose} link={link} onClose={onClose} />
  }
  const submit = form.onSubmit(({ username, display_name, email, is_admin }) => {
    setFault(undefined)
    const body = { username, is_admin, ...(display_name && { display_name }), ...(email && { email }) }
    create.mutate(body, { onError: (error) => setFault(showProblem(form, error)) })
  })
  return (
    <Dialog onClose={onClose} title="New user">
      <form onSubmit={submit}>
        <Stack gap="sm">
          {fault && <Alert color="danger">{fault}</Alert>}
          <TextInput label="Username" required data-autofocus {...form.getInputProps('username')} />
          <TextInput label="Display name" {...form.getInputProps('display_name')} />
          <TextInput
            label="Email"
            description="Counts as verified: you vouch for it."
            type="email"
            {...form.getInputProps('email')}
          />
          <Checkbox label="Admin of this server" {...form.getInputProps('is_admin', { type: 'checkbox' })} />
          <FormActions isPending={create.isPending} onClose={onClose}>
            Create
          </FormActions>
        </Stack>
      </form>
    </Dialog>
  )
}
