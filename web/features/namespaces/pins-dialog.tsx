import { Alert, Button, Group, Select, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { IconX } from '@tabler/icons-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { limits } from '../../../shared/vocabulary.ts'
import { problemText } from '../../lib/form-errors.ts'
import { notifyDone } from '../../lib/notify.ts'
import type { Repo } from '../../lib/types.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { useDrag } from '../../lib/use-drag.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Mark } from '../../ui/mark.tsx'
import { MovingRows } from '../../ui/moving-rows.tsx'
import { Grip, MoveButtons } from '../../ui/order-controls.tsx'
import frame from '../../ui/ui.module.css'
import classes from './pins-dialog.module.css'
import { ownedQuery, useSetPins } from './queries.ts'

interface PinsDialogProps {
  ns: string
  pinned: Repo[]
  onClose: () => void
}

/** Chooses the repos that a profile shows first, and their order. */
export default function PinsDialog({ ns, pinned, onClose }: PinsDialogProps) {
  const [repos, setRepos] = useState(pinned)
  const set = useSetPins(ns)
  const order = (list: Repo[]) => list.map(({ id }) => id).join()
  const markSaved = useUnsaved(order(repos) !== order(pinned))
  const save = () =>
    set.mutate(
      repos.map(({ type, name }) => ({ type, name })),
      {
        onSuccess: () => {
          markSaved()
          notifyDone('Pinned repos saved')
          onClose()
        },
      },
    )
  return (
    <Dialog title="Pinned repos" onClose={onClose}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          Up to {limits.pinnedRepos} repos of {ns} that the profile shows first. Others see those that they
          may see.
        </Text>
        <AddRepo ns={ns} chosen={repos} onAdd={(repo) => setRepos([...repos, repo])} />
        <Chosen repos={repos} onChange={setRepos} />
        {set.error && (
          <Alert color="danger" role="alert">
            {problemText(set.error)}
          </Alert>
        )}
        <Group gap="xs">
          <Button size="xs" loading={set.isPending} onClick={save}>
            Save pinned repos
          </Button>
          <Button size="xs" variant="default" onClick={onClose}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

interface AddRepoProps {
  ns: string
  chosen: Repo[]
  onAdd: (repo: Repo) => void
}

function AddRepo({ ns, chosen, onAdd }: AddRepoProps) {
  const [text, setText] = useState('')
  const [asked] = useDebouncedValue(text, 200)
  const { data, isFetching } = useQuery(ownedQuery(ns, asked))
  const isFull = chosen.length >= limits.pinnedRepos
  const found = (data?.items ?? []).filter(({ id }) => chosen.every((repo) => repo.id !== id))
  return (
    <Select
      label="Pin a repo"
      placeholder={isFull ? 'Remove one to pin another' : 'Search by name'}
      disabled={isFull}
      searchable
      value={null}
      searchValue={text}
      onSearchChange={setText}
      data={found.map(({ id, type, name }) => ({
        value: id,
        label: type === 'dataset' ? `${name} (dataset)` : name,
      }))}
      // What the server found stays as it is: its words may stand in the description.
      filter={({ options }) => options}
      nothingFoundMessage={isFetching ? 'Searching…' : 'No such repo here'}
      onChange={(id) => {
        const repo = found.find((each) => each.id === id)
        if (!repo) return
        onAdd(repo)
        setText('')
      }}
    />
  )
}

function Chosen({ repos, onChange }: { repos: Repo[]; onChange: (repos: Repo[]) => void }) {
  const [said, setSaid] = useState('')
  const held = useRef<HTMLElement>(null)
  // The list may be in its new order: the button that moved the row has the focus again.
  useLayoutEffect(() => {
    held.current?.focus()
    held.current = null
  })
  const move = (id: string, place: number) => {
    const repo = repos.find((each) => each.id === id)
    if (!repo || place < 0 || place >= repos.length || repos[place] === repo) return
    setSaid(`${repo.name} is now ${place + 1} of ${repos.length}`)
    onChange(repos.filter((each) => each !== repo).toSpliced(place, 0, repo))
  }
  const { list, drag, gripOf } = useDrag(move)
  if (repos.length === 0)
    return (
      <Text size="sm" c="dimmed">
        Nothing is pinned.
      </Text>
    )
  return (
    <>
      <MovingRows
        as="ol"
        list={list}
        className={`${frame['frame']} ${classes['rows']}`}
        aria-label="Pinned repos"
      >
        {repos.map((repo, place) => (
          <li
            key={repo.id}
            className={`${frame['frameRow']} ${classes['row']}`}
            data-dragged={drag?.id === repo.id || undefined}
            data-over={(drag && drag.id !== repo.id && drag.over === place) || undefined}
          >
            <Grip {...gripOf(repo.id, place)} />
            <Text size="sm" ff="monospace" className={classes['name'] ?? ''}>
              {repo.name}
            </Text>
            {repo.type === 'dataset' && <Mark>dataset</Mark>}
            {repo.visibility === 'private' && <Mark color="caution">private</Mark>}
            <MoveButtons
              name={repo.name}
              isFirst={place === 0}
              isLast={place === repos.length - 1}
              onMove={(by, button) => {
                held.current = button
                move(repo.id, place + by)
              }}
            />
            <Button
              size="compact-xs"
              variant="subtle"
              color="danger"
              aria-label={`Remove ${repo.name}`}
              onClick={() => onChange(repos.filter((each) => each !== repo))}
            >
              <IconX size={14} />
            </Button>
          </li>
        ))}
      </MovingRows>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </>
  )
}
