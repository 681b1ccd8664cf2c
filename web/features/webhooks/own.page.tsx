import { useMe } from '../../lib/session.ts'
import { WebhookList } from './webhook-list.tsx'

/** `/settings/webhooks`: every webhook the person manages. */
export function Component() {
  const me = useMe()
  return (
    <WebhookList
      filter={{}}
      note="Yours, and those of the organisations you administer. Events include only what you can see."
      watched={me ? [me.username] : []}
    />
  )
}
