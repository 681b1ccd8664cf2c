import { Group, NativeSelect, SegmentedControl, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useAddressField } from '../../lib/address-field.ts'
import { CountNumber } from '../../ui/facts.tsx'
import type { useListState } from './list-state.ts'
import type { DiscussionPage } from './queries.ts'

const kindChoices = [
  { value: '', label: 'Any kind' },
  { value: 'discussion', label: 'Discussions' },
  { value: 'pull_request', label: 'Pull requests' },
]

type Counts = DiscussionPage['counts']

interface ListFiltersProps {
  state: ReturnType<typeof useListState>
  /** How many there are of each status; not known at first. */
  counts: Counts | undefined
}

/** Which discussions to show, and how many each status would show. */
export function ListFilters({ state: { status, kind, author, q, set }, counts }: ListFiltersProps) {
  return (
    <Group gap="xs" role="search" aria-label="Discussions">
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
      <SearchField q={q} onChange={(text) => set('q', text)} />
      <NativeSelect
        size="xs"
        style={{ flex: '1 0 auto' }}
        aria-label="Kind"
        data={kindChoices}
        value={kind ?? ''}
        onChange={(event) => set('kind', event.currentTarget.value)}
      />
      <AuthorField key={author} author={author} onChange={(value) => set('author', value)} />
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
      maxLength={200}
      aria-label="Find discussions"
      placeholder="Words of the title, or #number"
      leftSection={<IconSearch size={14} />}
      {...field}
    />
  )
}

function AuthorField({ author, onChange }: { author: string; onChange: (author: string) => void }) {
  const [name, setName] = useState(author)
  return (
    <form
      style={{ flex: '1 1 150px' }}
      onSubmit={(event) => {
        event.preventDefault()
        onChange(name.trim())
      }}
    >
      <TextInput
        size="xs"
        miw={120}
        aria-label="Author"
        placeholder="Any author"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onBlur={() => name.trim() !== author && onChange(name.trim())}
      />
    </form>
  )
}
