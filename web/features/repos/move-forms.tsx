import { Alert, Anchor, Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { nameFault } from '../../../shared/vocabulary.ts'
import { leadToFaults, showProblem } from '../../lib/form-errors.ts'
import { notifyDone, notifyProblem } from '../../lib/notify.ts'
import { pages } from '../../lib/pages.ts'
import { useMe } from '../../lib/session.ts'
import type { Repo, RepoAddress } from '../../lib/types.ts'
import { ConfirmName } from '../../ui/confirm-name.tsx'
import { Section } from '../../ui/section.tsx'
import { useDeleteRepo, useMoveRepo, useRestoreWindow } from './queries.ts'

interface FormProps {
  repo: Repo
  address: RepoAddress
}

/** Rename, transfer, delete: what changes or ends an address. */
export function MoveForms({ repo, address }: FormProps) {
  return (
    <>
      <RenameForm repo={repo} address={address} />
      <TransferForm repo={repo} address={address} />
      <DeleteForm repo={repo} address={address} />
    </>
  )
}

function RenameForm({ repo, address }: FormProps) {
  const form = useForm({
    initialValues: { name: repo.name },
    validate: { name: (name) => nameFault(name) ?? null },
  })
  const move = useMoveRepo(address)
  const navigate = useNavigate()
  const [fault, setFault] = useState<string>()
  const submit = form.onSubmit(({ name }) => {
    setFault(undefined)
    move.mutate(
      { name },
      {
        onSuccess: (moved) => void navigate(pages.repoSettings(moved)),
        onError: (error) => setFault(showProblem(form, error)),
      },
    )
  }, leadToFaults(form))
  return (
    <Section title="Rename" note="The old address redirects here until its name is used again.">
      <form onSubmit={submit}>
        {fault && <Alert color="danger">{fault}</Alert>}
        <Group align="flex-end" gap="sm">
          <TextInput label="Name" w={280} {...form.getInputProps('name')} />
          <Button
            type="submit"
            variant="default"
            disabled={form.values.name === repo.name}
            loading={move.isPending}
          >
            Rename
          </Button>
        </Group>
      </form>
    </Section>
  )
}

function TransferForm({ repo, address }: FormProps) {
  const me = useMe()
  const move = useMoveRepo(address)
  const navigate = useNavigate()
  const targets = [
    me?.username ?? '',
    ...(me?.orgs.filter((org) => org.role === 'admin').map((org) => org.ns) ?? []),
  ]
  const others = targets.filter((ns) => ns && ns !== repo.ns)
  const [ns, setNs] = useState(others[0] ?? '')
  if (others.length === 0) return null
  const transfer = () =>
    move.mutate(
      { ns },
      { onSuccess: (moved) => void navigate(pages.repoSettings(moved)), onError: notifyProblem },
    )
  return (
    <Section title="Transfer" note="Gives the repo to another namespace that you run.">
      <Group align="flex-end" gap="sm">
        <NativeSelect
          label="To"
          data={others}
          value={ns}
          onChange={(event) => setNs(event.currentTarget.value)}
        />
        <Button variant="default" loading={move.isPending} onClick={transfer}>
          Transfer
        </Button>
      </Group>
    </Section>
  )
}

function DeleteForm({ repo, address }: FormProps) {
  const [isOpen, { open, close }] = useDisclosure(false)
  const remove = useDeleteRepo(address)
  const navigate = useNavigate()
  const window = useRestoreWindow()
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        notifyDone(`${repo.full_name} is deleted. It can be restored ${window}.`)
        void navigate('/settings/deleted')
      },
      onError: notifyProblem,
    })
  return (
    <Section
      title="Delete"
      note={`It can be restored ${window}. Its name is free at once for another repo.`}
      danger
    >
      <Button color="danger" variant="outline" w="fit-content" onClick={open}>
        Delete this {repo.type}
      </Button>
      {isOpen && (
        <ConfirmName
          title={`Delete ${repo.full_name}`}
          name={repo.full_name}
          action={`Delete ${repo.type}`}
          isPending={remove.isPending}
          onConfirm={confirm}
          onClose={close}
        >
          All its files and history disappear for everyone. You can restore it {window}, on the page{' '}
          <Anchor component={Link} to="/settings/deleted" inherit underline="always">
            Deleted repos
          </Anchor>
          ; then it is gone for good. Where large files come straight from an object store, download links
          that were already issued work until they expire.
        </ConfirmName>
      )}
    </Section>
  )
}
