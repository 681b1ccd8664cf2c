import { ActionIcon, Box, Group, Kbd, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState, type RefObject } from 'react'
import { Link, useNavigate } from 'react-router'
import { useMe } from '../lib/session.ts'
import { AccountButton } from './account-button.tsx'
import { JobButton } from './job-button.tsx'
import { Places } from './places.tsx'
import classes from './shell.module.css'
import { ThemeSwitch } from './theme-switch.tsx'

interface HeaderProps {
  search: RefObject<HTMLInputElement | null>
  onPalette: () => void
  onKeys: () => void
}

/** The band above every page: places, search, running jobs, theme, account. */
export function Header({ search, onPalette, onKeys }: HeaderProps) {
  const me = useMe()
  return (
    <header className={classes['header']}>
      <Group className={classes['headerInner'] ?? ''} wrap="nowrap" gap="xs">
        <Link to="/" className={classes['brand']} aria-label="Arsenal, home">
          <img src="/assets/icon-1.svg" alt="" width={24} height={24} />
          <Box component="span" visibleFrom="sm">
            Arsenal
          </Box>
        </Link>
        <Places />
        <SearchField input={search} />
        <Group gap={4} wrap="nowrap" ml="auto">
          <ActionIcon hiddenFrom="sm" variant="subtle" color="gray" aria-label="Search" onClick={onPalette}>
            <IconSearch size={18} />
          </ActionIcon>
          {me && <JobButton />}
          <ThemeSwitch />
          <AccountButton me={me} onKeys={onKeys} />
        </Group>
      </Group>
    </header>
  )
}

function SearchField({ input }: { input: RefObject<HTMLInputElement | null> }) {
  const [text, setText] = useState('')
  const navigate = useNavigate()
  return (
    <Box
      component="form"
      role="search"
      visibleFrom="sm"
      className={classes['search'] ?? ''}
      onSubmit={(event) => {
        event.preventDefault()
        void navigate(`/models?q=${encodeURIComponent(text)}`)
      }}
    >
      <TextInput
        ref={input}
        size="xs"
        type="search"
        aria-label="Search models"
        placeholder="Search models"
        leftSection={<IconSearch size={14} />}
        rightSection={<Kbd size="xs">/</Kbd>}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </Box>
  )
}
