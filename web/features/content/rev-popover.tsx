import { Button, Popover, ScrollArea, Stack, Tabs, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { memo, useDeferredValue, useImperativeHandle, useState, type Ref, type RefObject } from 'react'
import { Link, useNavigate } from 'react-router'
import { notifyProblem } from '../../lib/notify.ts'
import { hasRole, isMirror, useRepo } from '../../lib/repo-context.ts'
import { refsQuery } from '../../lib/repo-queries.ts'
import type { Refs } from '../../lib/types.ts'
import classes from './content.module.css'
import { useCreateBranch } from './queries.ts'
import { isSha, revName } from './rev-name.ts'

export interface RevPickerProps {
  rev: string
  /** The same page at another revision. */
  pageAt: (rev: string) => string
}

interface RevPopoverProps extends RevPickerProps {
  onClose: () => void
  /** The button that opens it. It stays as it is: to put another in its place takes longer than the popover. */
  opener: RefObject<HTMLButtonElement | null>
}

/** Branches, tags and pull requests to look at. It goes when it is closed: to draw it once more as closed takes longer. */
export default function RevPopover({ rev, pageAt, onClose, opener }: RevPopoverProps) {
  const { address } = useRepo()
  const refs = useQuery(refsQuery(address)).data
  const close = () => {
    // First, while nothing has to be laid out for it.
    opener.current?.focus({ preventScroll: true })
    onClose()
  }
  return (
    <Popover
      opened
      onChange={(isOpen) => isOpen || close()}
      position="bottom-start"
      width={300}
      trapFocus
      withinPortal
      withRoles={false}
    >
      <Popover.Target>
        <At element={opener} />
      </Popover.Target>
      <Popover.Dropdown p="xs" role="dialog" aria-label="Revisions">
        <Choices refs={refs} rev={rev} pageAt={pageAt} onClose={onClose} />
      </Popover.Dropdown>
    </Popover>
  )
}

/** Has the popover stand below an element that is there already. */
function At({ element, ref }: { element: RefObject<HTMLElement | null>; ref?: Ref<HTMLElement> }) {
  useImperativeHandle(ref, () => element.current as HTMLElement, [element])
  return null
}

interface ChoicesProps extends RevPickerProps {
  refs: Refs | undefined
  onClose: () => void
}

function Choices(props: ChoicesProps) {
  const [word, setWord] = useState('')
  // What is typed is shown before what it finds.
  const wanted = useDeferredValue(word.trim())
  return (
    <Stack gap="xs">
      <TextInput
        size="xs"
        aria-label="Filter or name a new branch"
        placeholder="Filter, paste a commit, name a branch"
        value={word}
        data-autofocus
        onChange={(event) => setWord(event.currentTarget.value)}
      />
      <Found {...props} word={wanted} />
    </Stack>
  )
}

const Found = memo(function Found({ refs, rev, pageAt, onClose, word }: ChoicesProps & { word: string }) {
  const navigate = useNavigate()
  const go = (name: string) => {
    onClose()
    void navigate(pageAt(name))
  }
  const { repo } = useRepo()
  const groups = [
    ['branches', 'Branches', refs?.branches.map((ref) => ref.name) ?? []],
    ['tags', 'Tags', refs?.tags.map((ref) => ref.name) ?? []],
    ['pulls', 'Pull requests', refs?.pull_requests.map((ref) => ref.ref) ?? []],
  ] as const
  const isNew =
    word !== '' && !isSha(word) && refs !== undefined && !refs.branches.some((ref) => ref.name === word)
  return (
    <>
      <Tabs defaultValue="branches">
        <Tabs.List>
          {groups.map(([id, label, names]) => (
            <Tabs.Tab key={id} value={id} p={6} fz="xs" disabled={names.length === 0 && id !== 'branches'}>
              {label} {names.length}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {groups.map(([id, , names]) => (
          <Tabs.Panel key={id} value={id}>
            <NameList
              names={names.filter((name) => name.includes(word))}
              rev={rev}
              pageAt={pageAt}
              onClose={onClose}
            />
          </Tabs.Panel>
        ))}
      </Tabs>
      {isSha(word) && (
        <Link className={classes['choice']} to={pageAt(word)} onClick={onClose}>
          Commit {revName(word)}
        </Link>
      )}
      {isNew && hasRole(repo, 'write') && !isMirror(repo) && <NewBranch name={word} from={rev} onGo={go} />}
    </>
  )
})

interface NameListProps extends RevPickerProps {
  names: string[]
  onClose: () => void
}

function NameList({ names, rev, pageAt, onClose }: NameListProps) {
  if (names.length === 0)
    return (
      <Text size="sm" c="dimmed" p="xs">
        None
      </Text>
    )
  return (
    <ScrollArea.Autosize mah={260}>
      {names.slice(0, 200).map((name) => (
        <Link
          key={name}
          className={classes['choice']}
          to={pageAt(name)}
          aria-current={name === rev}
          onClick={onClose}
        >
          {name}
        </Link>
      ))}
    </ScrollArea.Autosize>
  )
}

function NewBranch({ name, from, onGo }: { name: string; from: string; onGo: (name: string) => void }) {
  const { address } = useRepo()
  const create = useCreateBranch(address)
  return (
    <Button
      size="xs"
      loading={create.isPending}
      onClick={() => create.mutate({ name, from }, { onSuccess: () => onGo(name), onError: notifyProblem })}
    >
      New branch {name} from {from.slice(0, 20)}
    </Button>
  )
}
