import { ActionIcon, Indicator } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconStack2 } from '@tabler/icons-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { isActive, recentJobsQuery } from '../features/jobs/queries.ts'
import { late } from '../ui/late.tsx'

const loadTray = () => import('./job-tray.tsx')
const JobTray = late(loadTray)

/** Tells how many of the person's jobs run; opens the tray. */
export function JobButton() {
  const [isOpen, setIsOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  // The tray takes the focus away with it when it closes.
  useEffect(() => {
    if (!isOpen && wasOpen.current && document.activeElement === document.body) opener.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  const active = useQuery(recentJobsQuery).data?.items.filter(isActive).length ?? 0
  const label = active === 0 ? 'Jobs' : `Jobs, ${active} running`
  const button = (
    <Indicator label={active} size={16} disabled={active === 0} offset={4}>
      <ActionIcon
        ref={opener}
        variant="subtle"
        color="gray"
        aria-label={label}
        aria-expanded={isOpen}
        title={label}
        onPointerEnter={() => void loadTray()}
        onFocus={() => void loadTray()}
        onClick={() => setIsOpen(!isOpen)}
      >
        <IconStack2 size={18} />
      </ActionIcon>
    </Indicator>
  )
  if (!isOpen) return button
  return (
    <Suspense fallback={button}>
      <JobTray button={button} onClose={() => setIsOpen(false)} />
    </Suspense>
  )
}
