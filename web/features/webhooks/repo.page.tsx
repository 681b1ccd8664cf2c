import { hasRole, useRepo } from '../../lib/repo-context.ts'
import { EmptyState } from '../../ui/states.tsx'
import { WebhookList } from './webhook-list.tsx'

/** `…/settings/webhooks` of a Repo. */
export function Component() {
  const { repo } = useRepo()
  if (!hasRole(repo, 'admin')) return <EmptyState title="Only admins of a Repo see its webhooks" />
  const place = `${repo.type}s/${repo.full_name}`
  return (
    <WebhookList
      filter={{ repo: place }}
      note="Those that watch this Repo by itself; others may watch its whole Namespace."
      watched={[place]}
    />
  )
}
