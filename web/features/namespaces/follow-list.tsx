import { Anchor, Group, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import { AvatarPicture } from '../../ui/avatar-picture.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TimeAgo } from '../../ui/facts.tsx'
import { Paged } from '../../ui/loaded.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { followsQuery } from './queries.ts'

interface Props {
  ns: string
  list: 'followers' | 'following'
  onClose: () => void
}

/** Who follows a user or an organisation, or whom a user follows. */
export default function FollowList({ ns, list, onClose }: Props) {
  const query = useInfiniteQuery(followsQuery(ns, list))
  const [title, empty] =
    list === 'followers'
      ? [`Who follows ${ns}`, 'No followers yet']
      : [`Whom ${ns} follows`, `${ns} follows no user or organisation yet`]
  return (
    <Dialog onClose={onClose} title={title}>
      <Paged query={query} empty={<EmptyState picture="people" title={empty} />}>
        {(follows) => (
          <Stack gap="xs">
            {follows.map((each) => (
              <Group key={each.ns} justify="space-between" wrap="nowrap">
                <Group gap="xs" wrap="nowrap" miw={0}>
                  <AvatarPicture ns={each.ns} size={24} />
                  <Anchor
                    component={Link}
                    to={pages.namespace(each.ns)}
                    size="sm"
                    ff="monospace"
                    truncate="end"
                    onClick={onClose}
                  >
                    {each.ns}
                  </Anchor>
                </Group>
                <Text size="sm" c="dimmed" component="span" style={{ flexShrink: 0 }}>
                  <TimeAgo time={each.followed_at} />
                </Text>
              </Group>
            ))}
          </Stack>
        )}
      </Paged>
    </Dialog>
  )
}
