import { Button, type ButtonProps, Popover, ScrollArea, Stack, Tabs, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { notifyProblem } from '../../lib/notify.ts'
import { hasRole, isMirror, useRepo } from '../../lib/repo-context.ts'
import { refsQuery } from '../../lib/repo-queries.ts'
import type { Refs } from '../../lib/types.ts'
import { useCreateBranch } from './queries.ts'

export interface RevPickerProps {
  rev: string
  /** The same page at another revision. */
  pageAt: (rev: string) => string
}

/** Branches, tags and pull requests to look at; open from the start, since it is fetched by the press that opens it. */
export default function RevPopover({ rev, pageAt, ...look }: RevPickerProps & ButtonProps) {
  const { address } = useRepo()
  const refs = useQuery(refsQuery(address)).data
  const [isOpen, setIsOpen] = useState(true)
  const opener = useRef<HTMLButtonElement>(null)
  const close = () => {
    setIsOpen(false)
    opener.current?.focus({ preventScroll: true })
  }
  return (
    <Popover
      opened={isOpen}
      onChange={(next) => (next ? setIsOpen(true) : close())}
      position="bottom-start"
      width={300}
      trapFocus
      withinPortal
    >
      <Popover.Target>
        <Button ref={opener} {...look} aria-label={`Revision ${rev}`} onClick={() => setIsOpen(!isOpen)} />
      </Popover.Target>
      <Popover.Dropdown p="xs" aria-label="Revisions">
        <Choices refs={refs} rev={rev} pageAt={pageAt} onClose={() => setIsOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  )
}

interface ChoicesProps extends RevPickerProps {
  refs: Refs | undefined
  onClose: () => void
}

function Choices({ refs, rev, pageAt, onClose }: ChoicesProps) {
  const navigate = useNavigate()
  const go = (name: string) => {
    onClose()
    void navigate(pageAt(name))
  }
  const { repo } = useRepo()
  const [word, setWord] = useState('')
  const groups = [
    ['branches', 'Branches', refs?.branches.map((ref) => ref.name) ?? []],
    ['tags', 'Tags', refs?.tags.map((ref) => ref.name) ?? []],
    ['pulls', 'Pull requests', refs?.pull_requests.map((ref) => ref.ref) ?? []],
  ] as const
  const isNew = word !== '' && refs !== undefined && !refs.branches.some((ref) => ref.name === word)
  return (
    <Stack gap="xs">
      <TextInput
        size="xs"
        aria-label="Filter or name a new branch"
        placeholder="Filter, or name a new branch"
        value={word}
        data-autofocus
        onChange={(event) => setWord(event.currentTarget.value)}
      />
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
      {isNew && hasRole(repo, 'write') && !isMirror(repo) && <NewBranch name={word} from={rev} onGo={go} />}
    </Stack>
  )
}

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
        <Button
          key={name}
          component={Link}
          to={pageAt(name)}
          variant={name === rev ? 'light' : 'subtle'}
          color={name === rev ? 'accent' : 'gray'}
          {...(name === rev ? {} : { c: 'var(--mantine-color-text)' })}
          size="xs"
          fullWidth
          justify="flex-start"
          ff="monospace"
          fw={500}
          aria-current={name === rev}
          onClick={onClose}
        >
          {name}
        </Button>
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
