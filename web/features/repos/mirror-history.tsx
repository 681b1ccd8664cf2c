import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import { useMe } from '../../lib/session.ts'
import { TimeAgo } from '../../ui/facts.tsx'
import type { Mirror } from './mirror-queries.ts'

const MOST_SHOWN = 5

/** Commits that were synced before, and those that the upstream has rewritten its history over. */
export function MirrorHistory({ previous }: Pick<Mirror, 'previous'>) {
  const { repo } = useRepo()
  const me = useMe()
  const [isOpen, setIsOpen] = useState(false)
  const shown = isOpen ? previous : previous.slice(0, MOST_SHOWN)
  return (
    <Stack gap={2} align="flex-start">
      {shown.map(({ commit, synced_at, job, rewritten }) => (
        <Text key={commit} size="sm" component="div">
          <Anchor component={Link} to={pages.commit(repo, commit)} inherit ff="monospace">
            {commit.slice(0, 12)}
          </Anchor>{' '}
          <TimeAgo time={synced_at} />
          {job && me?.is_admin && (
            <>
              {' · '}
              <Anchor component={Link} to={pages.job(job)} inherit>
                job
              </Anchor>
            </>
          )}
          {rewritten && ' · the upstream has rewritten its history since; this commit is kept here'}
        </Text>
      ))}
      {previous.length > shown.length && (
        <Button size="compact-xs" variant="default" onClick={() => setIsOpen(true)}>
          Show all {previous.length}
        </Button>
      )}
    </Stack>
  )
}
