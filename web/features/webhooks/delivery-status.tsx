import { Badge } from '@mantine/core'
import type { Delivery } from './queries.ts'

const colors: Record<Delivery['status'], string> = {
  queued: 'pending',
  delivering: 'accent',
  succeeded: 'safe',
  retrying: 'caution',
  failed: 'danger',
}

/** What has become of a message. */
export function DeliveryStatus({ status }: { status: Delivery['status'] }) {
  return (
    <Badge variant="light" color={colors[status]} size="sm">
      {status}
    </Badge>
  )
}
