import { Alert, Button, NativeSelect, Stack, Switch, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { showProblem } from '../../lib/form-errors.ts'
import { notifyDone } from '../../lib/notify.ts'
import { refsQuery } from '../../lib/repo-queries.ts'
import type { Repo, RepoAddress } from '../../lib/types.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { Section } from '../../ui/section.tsx'
import { useUpdateRepo } from './queries.ts'

type Values = {
  description: string
  visibility: 'public' | 'private'
  gated: 'no' | 'auto' | 'manual'
  default_branch: string
  discussions_enabled: boolean
}

/** Description, who may read it, and the branch that counts. */
export function GeneralForm({ repo, address }: { repo: Repo; address: RepoAddress }) {
  const form = useForm<Values>({ initialValues: valuesOf(repo) })
  const update = useUpdateRepo(address)
  const branches = useQuery(refsQuery(address)).data?.branches.map((branch) => branch.name)
  const [fault, setFault] = useState<string>()
  useUnsaved(form.isDirty())
  const submit = form.onSubmit(({ gated, ...values }) => {
    setFault(undefined)
    const body = changesOf({ ...values, gated: gated === 'no' ? (false as const) : gated }, repo)
    update.mutate(body, {
      onSuccess: (saved) => {
        form.resetDirty(valuesOf(saved))
        notifyDone('Settings saved')
      },
      onError: (error) => setFault(showProblem(form, error)),
    })
  })
  return (
    <Section title="General">
      <form onSubmit={submit}>
        <Stack gap="sm">
          {fault && <Alert color="danger">{fault}</Alert>}
          <Textarea label="Description" autosize minRows={2} {...form.getInputProps('description')} />
          <NativeSelect label="Visibility" data={visibilityChoices} {...form.getInputProps('visibility')} />
          <NativeSelect label="Access to the files" data={gateChoices} {...form.getInputProps('gated')} />
          <NativeSelect
            label="Default branch"
            data={branches?.length ? branches : [repo.default_branch]}
            {...form.getInputProps('default_branch')}
          />
          <Switch
            label="Discussions and pull requests"
            {...form.getInputProps('discussions_enabled', { type: 'checkbox' })}
          />
          <Button type="submit" w="fit-content" loading={update.isPending}>
            Save
          </Button>
        </Stack>
      </form>
    </Section>
  )
}

const visibilityChoices = [
  { value: 'private', label: 'Private: owner, members and collaborators' },
  { value: 'public', label: 'Public: everyone who may use this server' },
]
const gateChoices = [
  { value: 'no', label: 'Open to everyone who can see the repo' },
  { value: 'auto', label: 'Gated: given at once to who asks' },
  { value: 'manual', label: 'Gated: each request is decided' },
]

function valuesOf(repo: Repo): Values {
  const { visibility, default_branch, discussions_enabled } = repo
  const gated = repo.gated === false ? 'no' : repo.gated
  return { description: repo.description ?? '', visibility, gated, default_branch, discussions_enabled }
}

/** Only what differs is sent, so that two people who change different settings do not undo each other. */
function changesOf<T extends object>(values: T, repo: Repo): Partial<T> {
  const before = { description: '', ...repo } as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(values).filter(([key, value]) => before[key] !== value),
  ) as Partial<T>
}
