import { z } from 'zod'
import type { JobTicket } from '../../core/jobs/index.ts'

export const DeliveryInput = z.strictObject({ delivery_id: z.string(), event: z.string(), attempt: z.int() })

/** The job `webhook.deliver` as it is queued; the room `webhooks` does it. One job is one attempt. */
export const deliveryTicket: JobTicket<z.output<typeof DeliveryInput>> = {
  kind: 'webhook.deliver',
  // Attempts that fail have jobs of their own; these are for workers that die on the way.
  maxAttempts: 20,
  title: ({ event }) => `Tell a webhook of ${event}`,
}
