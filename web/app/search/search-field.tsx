import { Box, Kbd, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { Suspense, useCallback, useId, useState, type RefObject } from 'react'
import { late } from '../../ui/late.tsx'
import classes from '../shell.module.css'
import { useSearchKeys } from './use-search-keys.ts'

const loadList = () => import('./search-list.tsx')
const SearchList = late(loadList)

/** The search of the header: what is found appears below it while one types. */
export function SearchField({ input }: { input: RefObject<HTMLInputElement | null> }) {
  const [text, setText] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  const close = useCallback(() => setIsOpen(false), [])
  const keys = useSearchKeys(close)
  const pick = () => {
    close()
    setText('')
    keys.forget()
    input.current?.blur()
  }
  return (
    <Box
      role="search"
      visibleFrom="sm"
      className={classes['search'] ?? ''}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) close()
      }}
    >
      <TextInput
        ref={input}
        size="xs"
        type="search"
        role="combobox"
        aria-label="Search"
        aria-expanded={isOpen}
        aria-autocomplete="list"
        aria-controls={id}
        aria-activedescendant={isOpen ? keys.active : undefined}
        autoComplete="off"
        placeholder="Search models, datasets, people"
        leftSection={<IconSearch size={14} />}
        rightSection={<Kbd>/</Kbd>}
        value={text}
        onFocus={() => {
          void loadList()
          setIsOpen(true)
        }}
        onClick={() => setIsOpen(true)}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setIsOpen(true)
        }}
        onKeyDown={keys.onKeyDown}
      />
      {isOpen && (
        // A press on it must not take the focus from the field, which would close it.
        <div className={classes['results']} onPointerDown={(event) => event.preventDefault()}>
          <Suspense>
            <SearchList
              id={id}
              text={text}
              isEntered={keys.isEntered}
              handle={keys.handle}
              onActive={keys.onActive}
              onPick={pick}
            />
          </Suspense>
        </div>
      )}
    </Box>
  )
}
