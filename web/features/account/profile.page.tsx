import { Alert, Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { showProblem } from '../../lib/form-errors.ts'
import { notifyDone } from '../../lib/notify.ts'
import { useMe } from '../../lib/session.ts'
import type { Me } from '../../lib/types.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { AvatarField } from '../../ui/avatar-field.tsx'
import { DefaultVisibility } from '../../ui/default-visibility.tsx'
import { Section } from '../../ui/section.tsx'
import { useUpdateMe } from './queries.ts'

/** `/settings`: display name, email and the default visibility of new repos. */
export function Component() {
  const me = useMe()
  if (!me) return null
  return (
    <Stack gap="md">
      <ProfileForm key={me.id} me={me} />
      <Section title="Account">
        <Group gap="xs">
          <Text ff="monospace">{me.username}</Text>
          {me.is_admin && <Badge variant="light">admin of this server</Badge>}
        </Group>
      </Section>
    </Stack>
  )
}

function ProfileForm({ me }: { me: Me }) {
  const initialValues = {
    display_name: me.display_name,
    email: me.pending_email || me.email || '',
    default_visibility: me.default_visibility,
  }
  const form = useForm({ initialValues })
  const update = useUpdateMe()
  const [fault, setFault] = useState<string>()
  useUnsaved(form.isDirty())
  const submit = form.onSubmit((values) => {
    setFault(undefined)
    update.mutate(values, {
      onSuccess: () => {
        form.resetDirty(values)
        notifyDone(
          values.email !== initialValues.email && values.email !== ''
            ? `Profile saved. ${values.email} counts once you open a confirmation link: ask an admin of this server for it.`
            : 'Profile saved',
        )
      },
      onError: (error) => setFault(showProblem(form, error)),
    })
  })
  return (
    <Section title="Profile">
      <AvatarField ns={me.username} />
      <form onSubmit={submit}>
        <Stack gap="sm" maw={420}>
          {fault && <Alert color="danger">{fault}</Alert>}
          <TextInput label="Display name" {...form.getInputProps('display_name')} />
          <TextInput
            label="Email"
            type="email"
            description={
              me.pending_email
                ? `${me.pending_email} is not confirmed yet. Ask an admin of this server for a confirmation link and open it.`
                : 'A new address counts once you confirm it by a link, which an admin of this server makes for you.'
            }
            {...form.getInputProps('email')}
          />
          <DefaultVisibility {...form.getInputProps('default_visibility')} />
          <Button type="submit" w="fit-content" loading={update.isPending}>
            Save
          </Button>
        </Stack>
      </form>
    </Section>
  )
}
