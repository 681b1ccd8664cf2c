import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import { hasRole, useRepo } from '../../lib/repo-context.ts'
import { EmptyState } from '../../ui/states.tsx'

/** The community of a repo, where its admins have not turned it off. */
export function Forum({ children }: { children: ReactNode }) {
  const { repo } = useRepo()
  if (repo.discussions_enabled) return children
  return (
    <EmptyState picture="talk" title="Discussions are disabled for this repo">
      {hasRole(repo, 'admin') ? (
        <>
          What was written is kept.{' '}
          <Anchor component={Link} to={pages.repoSettings(repo)} inherit underline="always">
            Turn them on in the settings
          </Anchor>{' '}
          to show it again.
        </>
      ) : (
        'Its admins take neither discussions nor pull requests.'
      )}
    </EmptyState>
  )
}
