import { ActionIcon, Indicator } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconBell } from '@tabler/icons-react'
import { Link } from 'react-router'
import { unreadQuery } from '../features/notifications/queries.ts'

/** Tells how many notifications are unread; leads to them. */
export function NotificationButton() {
  const unread = useQuery(unreadQuery).data ?? 0
  const label = unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`
  return (
    <Indicator label={unread} size={16} disabled={unread === 0} offset={4}>
      <ActionIcon
        component={Link}
        to="/settings/notifications"
        variant="subtle"
        color="gray"
        aria-label={label}
        title={label}
      >
        <IconBell size={18} />
      </ActionIcon>
    </Indicator>
  )
}
