import { ActionIcon, Box, Group } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import type { RefObject } from 'react'
import { Link } from 'react-router'
import { useSiteName } from '../lib/look.ts'
import { useMe } from '../lib/session.ts'
import { Logo } from '../ui/logo.tsx'
import { AccountButton } from './account-button.tsx'
import { useIsClosed } from './gate.tsx'
import { JobButton } from './job-button.tsx'
import { NotificationButton } from './notification-button.tsx'
import { Places } from './places.tsx'
import { SearchField } from './search/search-field.tsx'
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
  const isClosed = useIsClosed()
  const site = useSiteName()
  return (
    <header className={classes['header']}>
      <Group className={classes['headerInner'] ?? ''} wrap="nowrap" gap="xs">
        <Link to="/" className={classes['brand']} aria-label={`${site}, home`}>
          <Logo size={24} />
          <Box component="span" visibleFrom="sm">
            {site}
          </Box>
        </Link>
        {!isClosed && <Places />}
        {!isClosed && <SearchField input={search} />}
        <Group gap={4} wrap="nowrap" ml="auto">
          {!isClosed && (
            <ActionIcon hiddenFrom="sm" variant="subtle" color="gray" aria-label="Search" onClick={onPalette}>
              <IconSearch size={18} />
            </ActionIcon>
          )}
          {me && <NotificationButton />}
          {me && <JobButton />}
          <ThemeSwitch />
          {!isClosed && <AccountButton me={me} onKeys={onKeys} />}
        </Group>
      </Group>
    </header>
  )
}
