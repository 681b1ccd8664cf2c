import { Anchor, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import { useMe } from '../../lib/session.ts'
import { AvatarPicture } from '../../ui/avatar-picture.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { trendingOwnersQuery } from './queries.ts'

const shown = 6

/** What to do so that something comes: whose repos are liked and used most now can be followed. */
export function NoFeed() {
  const me = useMe()
  const owners = useQuery(trendingOwnersQuery).data?.filter((ns) => ns !== me?.username) ?? []
  return (
    <EmptyState
      picture="people"
      title="Nothing new"
      action={
        owners.length > 0 && (
          <nav aria-label="People and organisations to follow">
            <Group gap="md" justify="center">
              {owners.slice(0, shown).map((ns) => (
                <Anchor key={ns} component={Link} to={pages.namespace(ns)} size="sm">
                  <Group component="span" gap={6} wrap="nowrap">
                    <AvatarPicture ns={ns} size={24} />
                    {ns}
                  </Group>
                </Anchor>
              ))}
            </Group>
          </nav>
        )
      }
    >
      You see here what people and organisations you follow published in the last 90 days, and what others did
      in your repos, in those of your organisations, in repos you write to or watch, and in discussions you
      wrote in. Follow some people on their pages, such as those whose repos are used most now.
    </EmptyState>
  )
}
