import { Box } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { Suspense, useEffect, useRef, useState } from 'react'
import { Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router'
import { useSingleKeys } from '../lib/single-keys.ts'
import { late } from '../ui/late.tsx'
import { AnnouncementBar } from './announcement-bar.tsx'
import { FocusKept } from './focus-kept.tsx'
import { Gate } from './gate.tsx'
import { Header } from './header.tsx'
import { LeaveGuard } from './leave-guard.tsx'
import { PaletteHost } from './search/palette-host.tsx'
import { SessionGuard } from './session-guard.tsx'
import classes from './shell.module.css'

const KeyList = late(() => import('./key-list.tsx'))

/** By the keys of lists, whose code comes with the first press. */
const goBy = (step: 1 | -1) => void import('./rows.ts').then((rows) => rows.goBy(step))

/** Those that act on what the page marks, listed in `key-list.tsx`. */
const pageKeys = [...'cremnu'].map(
  (key) => [key, () => void import('./page-keys.ts').then(({ press }) => press(key))] as const,
)

/** Header, the page, and what is reached by key from anywhere. */
export function Shell() {
  const search = useRef<HTMLInputElement>(null)
  const [paletteOpen, setPaletteOpen] = useState(false)
  const [keysOpen, setKeysOpen] = useState(false)
  const isLoading = useNavigation().state === 'loading'
  const openPalette = () => setPaletteOpen(true)
  const focusSearch = () => (search.current?.offsetParent ? search.current.focus() : openPalette())
  const openKeys = () => setKeysOpen(true)
  useSingleKeys([
    ['/', focusSearch],
    ['j', () => goBy(1)],
    ['k', () => goBy(-1)],
    ['shift+?', openKeys],
    ...pageKeys,
  ])
  useHotkeys(
    [
      ['mod+K', openPalette],
      ['mod+/', openKeys],
    ],
    [],
  )
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <AnnouncementBar />
      <Header search={search} onPalette={openPalette} onKeys={openKeys} />
      {isLoading && <div className={classes['progress']} role="progressbar" aria-label="Loading the page" />}
      <Box component="main" id="main" tabIndex={-1} className={classes['main'] ?? ''}>
        <Gate>
          <Outlet />
        </Gate>
      </Box>
      <FocusOnNavigation />
      <FocusKept />
      <ScrollRestoration />
      <LeaveGuard />
      <SessionGuard />
      {paletteOpen && <PaletteHost onClose={() => setPaletteOpen(false)} />}
      <Suspense>{keysOpen && <KeyList onClose={() => setKeysOpen(false)} />}</Suspense>
    </>
  )
}

/** Moves the reading position to the new page, as a document load would; to its field where it begins with one. */
function FocusOnNavigation() {
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    if (document.activeElement?.matches('#main [data-autofocus]')) return
    document.getElementById('main')?.focus({ preventScroll: true })
  }, [pathname])
  return null
}
