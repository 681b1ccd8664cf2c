import { Alert, Button, Group, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { leadToFaults, showProblem } from '../../lib/form-errors.ts'
import { notifyDone } from '../../lib/notify.ts'
import { useRepo } from '../../lib/repo-context.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useCreateRef } from './queries.ts'

interface NewRefProps {
  kind: 'branch' | 'tag'
  onClose: () => void
}

/** Asks for the name of a new branch or tag, and for the revision it begins at. */
export default function NewRef({ kind, onClose }: NewRefProps) {
  const { repo, address } = useRepo()
  const create = useCreateRef(address)
  const [fault, setFault] = useState<string>()
  const form = useForm({
    initialValues: { name: '', from: repo.default_branch },
    validate: { name: (name) => (name.trim() ? null : 'Give it a name') },
  })
  const submit = form.onSubmit(({ name, from }) => {
    setFault(undefined)
    create.mutate(
      { kind, name: name.trim(), from: from.trim() || repo.default_branch },
      {
        onSuccess: () => {
          notifyDone(`The ${kind} ${name.trim()} is created`)
          onClose()
        },
        onError: (error) => setFault(showProblem(form, error)),
      },
    )
  }, leadToFaults(form))
  return (
    <Dialog onClose={onClose} title={`New ${kind}`}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          {fault && <Alert color="danger">{fault}</Alert>}
          <TextInput
            label="Name"
            placeholder={kind === 'tag' ? 'v1.0' : 'draft'}
            required
            data-autofocus
            autoComplete="off"
            {...form.getInputProps('name')}
          />
          <TextInput
            label={kind === 'tag' ? 'At' : 'From'}
            description="A branch, a tag or the id of a commit"
            autoComplete="off"
            {...form.getInputProps('from')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending}>
              Create {kind}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
