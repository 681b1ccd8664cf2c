import { hasRole, useRepo } from '../../lib/repo-context.ts'
import { EmptyState } from '../../ui/states.tsx'
import { WebhookList } from './webhook-list.tsx'

/** `…/settings/webhooks` of a repo. */
export function Component() {
  const { repo } = useRepo()
  if (!hasRole(repo, 'admin'))
    return <EmptyState picture="lock" title="Only admins of a repo see its webhooks" />
  const place = `${repo.type}s/${repo.full_name}`
  return (
    <WebhookList
      filter={{ repo: place }}
      note="Those that watch this repo by itself; others may watch its whole namespace."
      watched={[place]}
    />
  )
}
