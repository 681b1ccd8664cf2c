import {
  Alert,
  Button,
  NativeSelect,
  SegmentedControl,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { scopes } from '../../../shared/vocabulary.ts'
import { showProblem } from '../../lib/form-errors.ts'
import { useMe } from '../../lib/session.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { Commands } from '../../ui/commands/commands.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { useCreateToken, type TokenWish } from './queries.ts'

const lifetimes = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'One year' },
  { value: '', label: 'Until it is revoked' },
]

const initialValues = {
  name: '',
  scope: 'read',
  days: '90',
  namespaces: [] as string[],
  repos: [] as string[],
}
type Values = typeof initialValues

/** Makes a token and shows its secret the one time it can be seen. */
export function NewToken({ onClose }: { onClose: () => void }) {
  const create = useCreateToken()
  const form = useForm<Values>({ initialValues })
  const [fault, setFault] = useState<string>()
  useUnsaved(!create.data && form.isDirty())
  if (create.data) return <Secret name={create.data.name} secret={create.data.secret} onClose={onClose} />
  const submit = form.onSubmit((values) => {
    setFault(undefined)
    create.mutate(wishOf(values), { onError: (error) => setFault(showProblem(form, error)) })
  })
  return (
    <Dialog onClose={onClose} title="New token">
      <form onSubmit={submit}>
        <Stack gap="sm">
          {fault && <Alert color="danger">{fault}</Alert>}
          <TextInput
            label="Name"
            description="Where it will be used"
            required
            data-autofocus
            {...form.getInputProps('name')}
          />
          <ScopePicker value={form.values.scope} onChange={(scope) => form.setFieldValue('scope', scope)} />
          <NativeSelect label="Lives for" data={lifetimes} {...form.getInputProps('days')} />
          <TagsInput
            label="Only these namespaces"
            description="Empty: everything you can reach"
            {...form.getInputProps('namespaces')}
          />
          <TagsInput
            label="Only these repos"
            description="As models/name/repo or datasets/name/repo"
            {...form.getInputProps('repos')}
          />
          <FormActions isPending={create.isPending} onClose={onClose}>
            Create
          </FormActions>
        </Stack>
      </form>
    </Dialog>
  )
}

function ScopePicker({ value, onChange }: { value: string; onChange: (scope: string) => void }) {
  const me = useMe()
  const offered = scopes.filter((scope) => scope !== 'admin' || me?.is_admin)
  const notes: Record<string, string> = {
    read: 'Reads what you can read.',
    write: 'Reads and changes what you can change.',
    admin: 'Also runs this server: users, settings, every repo.',
  }
  return (
    <div>
      <Text size="sm" fw={500} mb={4} id="scope-label">
        Scope
      </Text>
      <SegmentedControl
        aria-labelledby="scope-label"
        fullWidth
        data={offered}
        value={value}
        onChange={onChange}
      />
      <Text size="xs" c="dimmed" mt={4}>
        {notes[value]}
      </Text>
    </div>
  )
}

function wishOf({ name, scope, days, namespaces, repos }: Values): TokenWish {
  const known = scopes.filter((value) => value === scope)
  const restriction = repos.map((text) => {
    const [type = '', ns = '', repo = ''] = text.split('/')
    return { type: type.startsWith('dataset') ? ('dataset' as const) : ('model' as const), ns, name: repo }
  })
  return {
    name,
    scopes: known,
    ...(namespaces.length > 0 ? { namespaces } : {}),
    ...(restriction.length > 0 ? { repos: restriction } : {}),
    days: days ? Number(days) : undefined,
  }
}

function Secret({ name, secret, onClose }: { name: string; secret: string; onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title={`Token ${name}`} closeOnClickOutside={false} size="lg">
      <Stack gap="sm">
        <Alert color="caution" title="Copy it now">
          It is shown this once; the server keeps only its hash.
        </Alert>
        <CommandLine label="Secret" command={secret} wraps />
        <Commands label="Sign in with it" of={{ kind: 'sign-in', secret }} />
        <Button onClick={onClose} w="fit-content">
          Done
        </Button>
      </Stack>
    </Dialog>
  )
}
