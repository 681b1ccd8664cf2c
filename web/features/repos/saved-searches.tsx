import { Alert, Button, Group, Menu, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { IconBookmarkPlus, IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import type { RepoTypePath } from '../../../shared/vocabulary.ts'
import { showProblem } from '../../lib/form-errors.ts'
import { notifyProblem } from '../../lib/notify.ts'
import {
  addressOfSearch,
  savedSearchesQuery,
  useDeleteSearch,
  useRenameSearch,
  useSaveSearch,
  type SavedSearch,
} from '../../lib/saved-searches.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { SavedButton } from './saved-button.tsx'

interface Props {
  list: RepoTypePath
  /** Whether the list is narrowed, so that there is something to save. */
  isFiltered: boolean
}

/** The searches of this list that the person has saved: opened, saved, renamed and deleted here. Mounted once asked for, so open. */
export default function SavedSearches({ list, isFiltered }: Props) {
  const { data = [], isError, refetch } = useQuery(savedSearchesQuery)
  const saved = data.filter((each) => each.list === list)
  const [open, setOpen] = useState<'save' | 'change'>()
  const close = () => setOpen(undefined)
  return (
    <>
      <Menu defaultOpened position="bottom-start" withinPortal>
        <Menu.Target>
          <SavedButton count={saved.length} />
        </Menu.Target>
        <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
          {isError ? (
            <Menu.Item color="danger" closeMenuOnClick={false} onClick={() => void refetch()}>
              Saved searches did not load. Retry
            </Menu.Item>
          ) : (
            saved.length === 0 && <Menu.Label>No saved searches. Filter the list, then save it.</Menu.Label>
          )}
          {saved.map((each) => (
            <Menu.Item key={each.id} component={Link} to={addressOfSearch(each)} maw={320}>
              <Text size="sm" truncate>
                {each.name}
              </Text>
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconBookmarkPlus size={14} />}
            disabled={!isFiltered}
            onClick={() => setOpen('save')}
          >
            Save this search
          </Menu.Item>
          {saved.length > 0 && (
            <Menu.Item leftSection={<IconPencil size={14} />} onClick={() => setOpen('change')}>
              Rename or delete
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {open === 'save' && <SaveDialog list={list} onClose={close} />}
      {open === 'change' && <ChangeDialog saved={saved} onClose={close} />}
    </>
  )
}

function SaveDialog({ list, onClose }: { list: RepoTypePath; onClose: () => void }) {
  const query = useLocation().search.slice(1)
  const save = useSaveSearch()
  const form = useForm({ initialValues: { name: '' } })
  const [fault, setFault] = useState<string>()
  useUnsaved(form.isDirty())
  const submit = form.onSubmit(({ name }) => {
    setFault(undefined)
    save.mutate(
      { list, name, query },
      { onSuccess: onClose, onError: (error) => setFault(showProblem(form, error)) },
    )
  })
  return (
    <Dialog onClose={onClose} title="Save this search" size="sm">
      <form onSubmit={submit}>
        <Stack gap="sm">
          {fault && <Alert color="danger">{fault}</Alert>}
          <TextInput
            label="Name"
            description="Its filters and its order are kept."
            required
            maxLength={100}
            data-autofocus
            {...form.getInputProps('name')}
          />
          <FormActions isPending={save.isPending} onClose={onClose}>
            Save
          </FormActions>
        </Stack>
      </form>
    </Dialog>
  )
}

function ChangeDialog({ saved, onClose }: { saved: SavedSearch[]; onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title="Saved searches">
      <Stack gap="xs">
        {saved.length === 0 && <Text size="sm">No saved searches are left.</Text>}
        {saved.map((each) => (
          <SavedRow key={each.id} saved={each} />
        ))}
      </Stack>
    </Dialog>
  )
}

function SavedRow({ saved }: { saved: SavedSearch }) {
  const rename = useRenameSearch()
  const remove = useDeleteSearch()
  const form = useForm({ initialValues: { name: saved.name } })
  const [fault, setFault] = useState<string>()
  const [isAsking, setIsAsking] = useState(false)
  useUnsaved(form.isDirty())
  const submit = form.onSubmit(({ name }) => {
    setFault(undefined)
    rename.mutate(
      { id: saved.id, name },
      { onSuccess: () => form.resetDirty(), onError: (error) => setFault(showProblem(form, error)) },
    )
  })
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-start" wrap="nowrap">
        <TextInput
          size="xs"
          flex={1}
          required
          maxLength={100}
          aria-label={`Name of ${saved.name}`}
          {...form.getInputProps('name')}
          error={form.errors['name'] ?? fault}
        />
        {isAsking ? (
          <>
            <Button
              size="xs"
              color="danger"
              autoFocus
              loading={remove.isPending}
              aria-label={`Yes, delete ${saved.name}`}
              onClick={() => remove.mutate(saved.id, { onError: notifyProblem })}
            >
              Delete it
            </Button>
            <Button size="xs" variant="default" onClick={() => setIsAsking(false)}>
              Keep it
            </Button>
          </>
        ) : (
          <>
            <Button size="xs" type="submit" disabled={!form.isDirty()} loading={rename.isPending}>
              Rename
            </Button>
            <Button
              size="xs"
              variant="default"
              aria-label={`Delete ${saved.name}`}
              onClick={() => setIsAsking(true)}
            >
              Delete
            </Button>
          </>
        )}
      </Group>
    </form>
  )
}
