import {
  Alert,
  Button,
  Checkbox,
  Group,
  NativeSelect,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { ApiProblem } from '../../../shared/client.ts'
import { nameFault, reservedRepoNames, type RepoType } from '../../../shared/vocabulary.ts'
import { leadToFaults, showProblem } from '../../lib/form-errors.ts'
import { pages } from '../../lib/pages.ts'
import { usePublicReaders } from '../../lib/sign-in.ts'
import type { Me } from '../../lib/types.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { Commands } from '../../ui/commands/commands.tsx'
import type { Deed } from '../../ui/commands/deeds.ts'
import { PageFrame } from '../../ui/page.tsx'
import { SignedIn } from '../../ui/signed-in.tsx'
import { LicencePicker } from './licence-picker.tsx'
import { repoQuery, useCreateRepo } from './queries.ts'

/** `/new` */
export function Component() {
  return (
    <SignedIn>
      {(me) => (
        <PageFrame
          title="New repo"
          width={640}
          actions={
            <Button size="xs" variant="default" component={Link} to="/discover">
              Pull from another hub
            </Button>
          }
        >
          <RepoForm me={me} />
        </PageFrame>
      )}
    </SignedIn>
  )
}

type Values = {
  type: RepoType
  ns: string
  name: string
  description: string
  visibility: 'public' | 'private'
  licence: string
  init_readme: boolean
}

function useRepoForm(me: Me) {
  const [search] = useSearchParams()
  return useForm<Values>({
    initialValues: {
      type: search.get('type') === 'datasets' ? 'dataset' : 'model',
      ns: search.get('ns') ?? me.username,
      name: '',
      description: '',
      visibility: 'private',
      licence: '',
      init_readme: true,
    },
    validateInputOnChange: ['name'],
    validate: { name: repoNameFault },
  })
}

function RepoForm({ me }: { me: Me }) {
  const form = useRepoForm(me)
  const navigate = useNavigate()
  const create = useCreateRepo()
  const [fault, setFault] = useState<string>()
  const markSaved = useUnsaved(form.values.name !== '' || form.values.description !== '')
  const submit = form.onSubmit(({ description, licence, ...values }, event) => {
    const pressed = (event?.nativeEvent as SubmitEvent | undefined)?.submitter
    const isForFiles = pressed instanceof HTMLButtonElement && pressed.value === 'files'
    setFault(undefined)
    const body = { ...values, ...(description ? { description } : {}), ...(licence ? { licence } : {}) }
    create.mutate(body, {
      onSuccess: (repo) => {
        markSaved()
        void navigate(isForFiles ? pages.upload(repo, repo.default_branch) : pages.repo(repo))
      },
      onError: (error) => setFault(showProblem(form, error)),
    })
  }, leadToFaults(form))
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {fault && <Alert color="danger">{fault}</Alert>}
        <SegmentedControl aria-label="Type" w="fit-content" data={types} {...form.getInputProps('type')} />
        <AddressFields me={me} form={form} />
        <Textarea label="Description" autosize minRows={2} {...form.getInputProps('description')} />
        <LicencePicker {...form.getInputProps('licence')} />
        <VisibilityPicker {...form.getInputProps('visibility')} />
        <Checkbox label="Begin with a README" {...form.getInputProps('init_readme', { type: 'checkbox' })} />
        <Group gap="sm">
          <Button type="submit" loading={create.isPending}>
            Create {form.values.type}
          </Button>
          <Button type="submit" value="files" variant="default" disabled={create.isPending}>
            Create and upload files
          </Button>
        </Group>
        <Commands label="From a terminal or a program" of={deedOf(form.values)} />
      </Stack>
    </form>
  )
}

const types = [
  { value: 'model', label: 'Model' },
  { value: 'dataset', label: 'Dataset' },
]

/** Owner and name; the name is checked while it is typed. */
function AddressFields({ me, form }: { me: Me; form: ReturnType<typeof useRepoForm> }) {
  const { type, ns, name } = form.values
  const nameState = useNameState(type, ns, name)
  const owners = [me.username, ...me.orgs.filter((org) => org.role !== 'read').map((org) => org.ns)]
  return (
    <Group align="flex-start" gap="sm" wrap="nowrap">
      <NativeSelect label="Owner" data={owners} {...form.getInputProps('ns')} />
      <TextInput
        label="Name"
        required
        flex={1}
        autoComplete="off"
        description={nameState}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        {...form.getInputProps('name')}
      />
    </Group>
  )
}

function VisibilityPicker({ value, onChange }: { value?: string; onChange?: (value: string) => void }) {
  const readers = usePublicReaders()
  return (
    <div>
      <SegmentedControl
        aria-label="Visibility"
        data={[
          { value: 'private', label: 'Private' },
          { value: 'public', label: 'Public' },
        ]}
        {...(value !== undefined ? { value } : {})}
        {...(onChange ? { onChange } : {})}
      />
      <Text size="xs" c="dimmed" mt={4}>
        {value === 'public'
          ? `${readers} can read it.`
          : 'Only its owner, members and collaborators can read it.'}
      </Text>
    </div>
  )
}

const deedOf = ({ type, ns, name, visibility }: Values): Deed => ({
  kind: 'create-repo',
  repo: `${ns}/${name || 'name'}`,
  type,
  isPrivate: visibility === 'private',
})

function repoNameFault(name: string): string | null {
  if (reservedRepoNames.some((word) => word === name.toLowerCase())) return 'this word is reserved'
  return nameFault(name) ?? null
}

/** Whether the name is free, as far as this person can see, while it is typed. */
function useNameState(type: RepoType, ns: string, name: string): string | undefined {
  const [settled] = useDebouncedValue(name, 300)
  const isAskable = settled !== '' && repoNameFault(settled) === null
  const query = useQuery({
    ...repoQuery({ type: `${type}s`, ns, name: settled }),
    enabled: isAskable,
    retry: false,
  })
  if (!isAskable || settled !== name) return undefined
  if (query.data) return 'taken: you already have a repo of this name'
  if (query.error instanceof ApiProblem && query.error.status === 404) return 'this name is free'
  return undefined
}
