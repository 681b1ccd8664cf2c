import { Box } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './ui.module.css'

/** Props of a button whose icon stands alone on phones, where its word has no room. */
export const iconOnPhones = (label: string, icon: ReactNode) => ({
  leftSection: icon,
  'aria-label': label,
  title: label,
  classNames: { section: classes['loneIcon'] ?? '' },
  children: (
    <Box component="span" visibleFrom="xs">
      {label}
    </Box>
  ),
})
