import { useParams } from 'react-router'
import { PageFrame } from '../../ui/page.tsx'
import { WebhookList } from './webhook-list.tsx'

/** `/{ns}/settings/webhooks`: those that watch everything of an organisation. */
export function Component() {
  const { ns = '' } = useParams()
  return (
    <PageFrame title={`Webhooks of ${ns}`} width={880}>
      <WebhookList filter={{ ns }} note={`Those that watch every repo of ${ns}.`} watched={[ns]} />
    </PageFrame>
  )
}
