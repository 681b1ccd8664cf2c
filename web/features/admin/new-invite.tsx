import { Alert, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { roles } from '../../../shared/vocabulary.ts'
import { showProblem } from '../../lib/form-errors.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { MadeLink } from './made-link.tsx'
import { useCreateInvite } from './queries.ts'

const initialValues = { username: '', email: '', org: '', role: 'read', note: '', is_admin: false }

/** Makes an invite and shows its link the one time it can be seen. */
export function NewInvite({ onClose }: { onClose: () => void }) {
  const create = useCreateInvite()
  const form = useForm({ initialValues })
  const [fault, setFault] = useState<string>()
  useUnsaved(!create.data && form.isDirty())
  if (create.data)
    return (
      <MadeLink
        title="Invite"
        purpose="One person makes an account with it."
        link={create.data}
        onClose={onClose}
      />
    )
  const submit = form.onSubmit(({ username, email, org, role, note, is_admin }) => {
    setFault(undefined)
    const known = roles.filter((each) => each === role)
    create.mutate(
      {
        ...(username && { username }),
        ...(email && { email }),
        ...(note && { note }),
        ...(is_admin && { is_admin }),
        ...(org && { orgs: known.map((each) => ({ ns: org, role: each })) }),
      },
      { onError: (error) => setFault(showProblem(form, error)) },
    )
  })
  return (
    <Dialog onClose={onClose} title="New invite">
      <form onSubmit={submit}>
        <Stack gap="sm">
          {fault && <Alert color="danger">{fault}</Alert>}
          <TextInput
            label="Username"
            description="Empty: the person chooses one."
            data-autofocus
            {...form.getInputProps('username')}
          />
          <TextInput
            label="Email"
            description="Counts as verified: you vouch for it."
            type="email"
            {...form.getInputProps('email')}
          />
          <Group grow align="flex-end">
            <TextInput label="Organisation" {...form.getInputProps('org')} />
            <NativeSelect label="Role there" data={[...roles]} {...form.getInputProps('role')} />
          </Group>
          <TextInput label="Note" description="The person sees it." {...form.getInputProps('note')} />
          <Checkbox label="Admin of this server" {...form.getInputProps('is_admin', { type: 'checkbox' })} />
          <FormActions isPending={create.isPending} onClose={onClose}>
            Make the link
          </FormActions>
        </Stack>
      </form>
    </Dialog>
  )
}
