import { Group, NativeSelect, SegmentedControl, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useAddressField } from '../../lib/address-field.ts'
import { useRepo } from '../../lib/repo-context.ts'
import { CountNumber } from '../../ui/facts.tsx'
import type { useListState } from './list-state.ts'
import type { DiscussionPage } from './queries.ts'
import { labelsQuery } from './marks/queries.ts'

const kindChoices = [
  { value: '', label: 'Any kind' },
  { value: 'discussion', label: 'Discussions' },
  { value: 'pull_request', label: 'Pull requests' },
]

type Counts = DiscussionPage['counts']

interface FilterProps {
  state: ReturnType<typeof useListState>
}

interface StatusChoiceProps extends FilterProps {
  /** How many there are of each status; not known at first. */
  counts: Counts | undefined
}

/** Whether open or closed discussions are shown, and how many each choice would show. */
export function StatusChoice({ state: { status, set }, counts }: StatusChoiceProps) {
  return (
    <SegmentedControl
      size="xs"
      aria-label="Status"
      data={[
        { value: 'open', label: <Counted what="Open" count={counts?.open} /> },
        { value: 'closed', label: <Counted what="Closed" count={counts?.closed} /> },
        { value: 'all', label: 'All' },
      ]}
      value={status}
      onChange={(value) => set('status', value === 'open' ? '' : value)}
    />
  )
}

/** Which discussions to show. */
export function ListFilters({ state }: FilterProps) {
  const { kind, author, label, assignee, q, set } = state
  return (
    <Group gap="xs" role="search" aria-label="Discussions">
      <SearchField q={q} onChange={(text) => set('q', text)} />
      <NativeSelect
        size="xs"
        style={{ flex: '1 0 auto' }}
        aria-label="Kind"
        data={kindChoices}
        value={kind ?? ''}
        onChange={(event) => set('kind', event.currentTarget.value)}
      />
      <LabelChoice label={label} onChange={(value) => set('label', value)} />
      <PersonField
        key={`by ${author}`}
        what="author"
        name={author}
        onChange={(value) => set('author', value)}
      />
      <PersonField
        key={`to ${assignee}`}
        what="assignee"
        name={assignee}
        onChange={(value) => set('assignee', value)}
      />
    </Group>
  )
}

/** A status and its count, whose place is kept until it is known. */
function Counted({ what, count }: { what: string; count: number | undefined }) {
  return (
    <>
      {what}{' '}
      <Text span inherit c="dimmed" fw={500} miw="1ch" display="inline-block">
        {count !== undefined && <CountNumber value={count} />}
      </Text>
    </>
  )
}

function SearchField({ q, onChange }: { q: string; onChange: (text: string) => void }) {
  const field = useAddressField(q, ({ value }) => onChange(value.trim()))
  return (
    <TextInput
      size="xs"
      type="search"
      w={{ base: '100%', xs: 220 }}
      style={{ flex: '2 0 auto' }}
      maxLength={200}
      aria-label="Find discussions"
      placeholder="Words of the title, or #number"
      leftSection={<IconSearch size={14} />}
      {...field}
    />
  )
}

/** The labels of the repo, and one of the address that it does not have. */
function LabelChoice({ label, onChange }: { label: string; onChange: (label: string) => void }) {
  const { address } = useRepo()
  const { data } = useQuery(labelsQuery(address))
  const labels = data?.items ?? []
  const known = labels.find(({ id, name }) => id === label || name.toLowerCase() === label.toLowerCase())
  const value = known?.name ?? label
  const names = labels.map(({ name }) => name)
  return (
    <NativeSelect
      size="xs"
      style={{ flex: '1 0 auto' }}
      w={130}
      aria-label="Label"
      data={[
        { value: '', label: 'Any label' },
        ...(value === '' || names.includes(value) ? names : [value, ...names]),
      ]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

interface PersonFieldProps {
  what: 'author' | 'assignee'
  name: string
  onChange: (name: string) => void
}

function PersonField({ what, name: now, onChange }: PersonFieldProps) {
  const [name, setName] = useState(now)
  return (
    <form
      style={{ flex: '1 1 120px' }}
      onSubmit={(event) => {
        event.preventDefault()
        onChange(name.trim())
      }}
    >
      <TextInput
        size="xs"
        miw={110}
        aria-label={what === 'author' ? 'Author' : 'Assignee'}
        placeholder={`Any ${what}`}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onBlur={() => name.trim() !== now && onChange(name.trim())}
      />
    </form>
  )
}
