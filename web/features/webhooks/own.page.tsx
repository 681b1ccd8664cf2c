import { useMe } from '../../lib/session.ts'
import { WebhookList } from './webhook-list.tsx'

/** `/settings/webhooks`: every webhook the person manages. */
export function Component() {
  const me = useMe()
  return (
    <WebhookList
      filter={{}}
      note="Yours, and those of the Organisations you administer. What is told is what you may know at the time."
      watched={me ? [me.username] : []}
    />
  )
}
