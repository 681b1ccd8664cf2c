import { Alert, Button } from '@mantine/core'
import { Link, useLocation } from 'react-router'
import { pages } from '../../lib/pages.ts'
import { hasRole } from '../../lib/repo-context.ts'
import { useMe } from '../../lib/session.ts'
import type { Repo, RepoAddress } from '../../lib/types.ts'
import { late } from '../../ui/late.tsx'

// Few repos ever need it.
const DeletedNotice = late(() => import('./deleted-notice.tsx'))
// Only those who must ask need it, and it brings Markdown along.
const AccessForm = late(() => import('./access-form.tsx'))

interface NoticeProps {
  repo: Repo
  address: RepoAddress
}

/** Says when the repo is deleted, or when its files must be asked for, and offers the way on. */
export function AccessNotice({ repo, address }: NoticeProps) {
  if (repo.deleted_at) return <DeletedNotice repo={repo} address={address} />
  if (!repo.gated || hasRole(repo, 'write') || repo.access === 'accepted') return null
  return <GateNotice repo={repo} address={address} />
}

function GateNotice({ repo, address }: NoticeProps) {
  const me = useMe()
  const here = useLocation()
  if (!me)
    return (
      <Alert color="pending" title="Request access to these files" mb="md" id="access">
        <Button size="xs" component={Link} to={pages.login(here.pathname)}>
          Sign in to ask
        </Button>
      </Alert>
    )
  if (repo.access === 'pending')
    return (
      <Alert color="pending" title="Access requested" mb="md" id="access">
        The people who own this repo have yet to decide.
      </Alert>
    )
  return (
    <div id="access">
      <AccessForm repo={repo} address={address} />
    </div>
  )
}
