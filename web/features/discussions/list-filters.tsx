import { Group, NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { useListState } from './list-state.ts'

const statusChoices = [
  { value: 'open', label: 'Open' },
  { value: 'closed', label: 'Closed' },
  { value: 'all', label: 'All' },
]
const kindChoices = [
  { value: '', label: 'Any kind' },
  { value: 'discussion', label: 'Discussions' },
  { value: 'pull_request', label: 'Pull requests' },
]

/** Which discussions to show. */
export function ListFilters({ status, kind, author, set }: ReturnType<typeof useListState>) {
  return (
    <Group gap="xs" role="search" aria-label="Discussions">
      <SegmentedControl
        size="xs"
        aria-label="Status"
        data={statusChoices}
        value={status}
        onChange={(value) => set('status', value === 'open' ? '' : value)}
      />
      <NativeSelect
        size="xs"
        aria-label="Kind"
        data={kindChoices}
        value={kind ?? ''}
        onChange={(event) => set('kind', event.currentTarget.value)}
      />
      <AuthorField key={author} author={author} onChange={(value) => set('author', value)} />
    </Group>
  )
}

function AuthorField({ author, onChange }: { author: string; onChange: (author: string) => void }) {
  const [name, setName] = useState(author)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onChange(name.trim())
      }}
    >
      <TextInput
        size="xs"
        w={150}
        aria-label="Author"
        placeholder="Any author"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onBlur={() => name.trim() !== author && onChange(name.trim())}
      />
    </form>
  )
}
