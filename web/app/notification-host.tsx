import '@mantine/notifications/styles.css'
import { Notifications } from '@mantine/notifications'

/** Where notifications appear. */
export default function NotificationHost() {
  return <Notifications position="bottom-right" limit={4} />
}
