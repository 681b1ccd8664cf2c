import { Anchor, Group, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import type { RepoAddress } from '../../lib/types.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { TimeAgo } from '../../ui/facts.tsx'
import { Paged } from '../../ui/loaded.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { likersQuery } from './queries.ts'

/** Who likes a repo. */
export default function Likers({ address, onClose }: { address: RepoAddress; onClose: () => void }) {
  const query = useInfiniteQuery(likersQuery(address))
  return (
    <Dialog onClose={onClose} title={`People who like ${address.ns}/${address.name}`}>
      <Paged query={query} empty={<EmptyState picture="people" title="No likes yet" />}>
        {(likers) => (
          <Stack gap="xs">
            {likers.map((liker) => (
              <Group key={liker.username} justify="space-between">
                <Anchor component={Link} to={pages.namespace(liker.username)} size="sm" ff="monospace">
                  {liker.username}
                </Anchor>
                <Text size="sm" c="dimmed" component="span">
                  <TimeAgo time={liker.liked_at} />
                </Text>
              </Group>
            ))}
          </Stack>
        )}
      </Paged>
    </Dialog>
  )
}
