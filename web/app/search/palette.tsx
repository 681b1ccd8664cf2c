import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useId } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import SearchList from './search-list.tsx'
import { useSearchKeys } from './use-search-keys.ts'

interface PaletteProps {
  query: string
  onQueryChange: (query: string) => void
  /** Called when its field has the focus, with what was typed before. */
  onFocus: () => void
  onClose: () => void
}

const focusOnce = (field: HTMLInputElement | null) => field?.focus({ preventScroll: true })

/** The palette: the search of the header, with pages, actions and the repos seen last. */
export default function Palette({ query, onQueryChange, onFocus, onClose }: PaletteProps) {
  const id = useId()
  const keys = useSearchKeys(() => {})
  return (
    <Dialog
      onClose={onClose}
      size="lg"
      padding={0}
      withCloseButton={false}
      trapFocus
      aria-label="Search"
      transitionProps={{ duration: 0 }}
    >
      <TextInput
        size="md"
        variant="unstyled"
        px="sm"
        role="combobox"
        aria-label="Search"
        aria-expanded
        aria-autocomplete="list"
        aria-controls={id}
        aria-activedescendant={keys.active}
        autoComplete="off"
        placeholder="Models, datasets, people, collections, pages"
        leftSection={<IconSearch size={18} />}
        data-autofocus
        // The dialog's own way to give it the focus waits, and keys would go astray meanwhile.
        ref={focusOnce}
        onFocus={({ currentTarget: field }) => {
          field.setSelectionRange(field.value.length, field.value.length)
          onFocus()
        }}
        value={query}
        onChange={(event) => onQueryChange(event.currentTarget.value)}
        onKeyDown={keys.onKeyDown}
      />
      <SearchList
        id={id}
        text={query}
        withActions
        isEntered={keys.isEntered}
        handle={keys.handle}
        onActive={keys.onActive}
        onPick={onClose}
      />
    </Dialog>
  )
}
