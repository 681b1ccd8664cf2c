import { Anchor, Badge, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import { hasRole } from '../../lib/repo-context.ts'
import type { Namespace } from '../../lib/types.ts'
import { AvatarPicture } from '../../ui/avatar-picture.tsx'
import { TimeAgo } from '../../ui/facts.tsx'
import { StorageBar } from '../../ui/storage-bar.tsx'
import { Follows } from './follows.tsx'
import { membersQuery } from './queries.ts'

/** Who a namespace is: names, text, storage, and the members of an organisation. */
export function ProfileCard({ namespace }: { namespace: Namespace }) {
  const isOrg = namespace.kind === 'org'
  return (
    <Stack gap="sm">
      <AvatarPicture ns={namespace.ns} size={96} />
      <div style={{ overflowWrap: 'anywhere' }}>
        <Title order={1}>{namespace.display_name || namespace.ns}</Title>
        <Group gap="xs">
          <Text ff="monospace" c="dimmed">
            {namespace.ns}
          </Text>
          {isOrg && (
            <Badge size="sm" variant="default">
              {namespace.mirror_of === undefined ? 'Organisation' : `Mirrors of ${namespace.mirror_of}`}
            </Badge>
          )}
        </Group>
      </div>
      <Follows namespace={namespace} />
      {namespace.bio && <Text size="sm">{namespace.bio}</Text>}
      {namespace.mirror_of !== undefined && (
        <Text size="sm">It holds repos of another hub, read-only. Admins of this server manage it.</Text>
      )}
      {namespace.website && /^https?:/.test(namespace.website) && (
        <Anchor href={namespace.website} rel="nofollow ugc noopener" size="sm" truncate="end">
          {namespace.website}
        </Anchor>
      )}
      <Text size="sm" c="dimmed" component="div">
        Joined <TimeAgo time={namespace.created_at} />
      </Text>
      {namespace.storage && (
        <StorageBar
          of={namespace.ns}
          usedBytes={namespace.storage.used_bytes}
          pendingBytes={namespace.storage.pending_bytes}
          quotaBytes={namespace.storage.quota_bytes}
        />
      )}
      {isOrg && namespace.mirror_of === undefined && <Members ns={namespace.ns} />}
      {isOrg && hasRole(namespace, 'admin') && (
        <Button size="xs" variant="default" component={Link} to={pages.orgSettings(namespace.ns)}>
          Organisation settings
        </Button>
      )}
    </Stack>
  )
}

/** As many members as are shown unasked. */
const firstMembers = 30

function Members({ ns }: { ns: string }) {
  const query = useInfiniteQuery(membersQuery(ns))
  const [isOpen, setIsOpen] = useState(false)
  const members = query.data?.pages.flatMap((page) => page.items) ?? []
  if (members.length === 0) return null
  const shown = isOpen ? members : members.slice(0, firstMembers)
  const showMore = () => {
    setIsOpen(true)
    if (isOpen) void query.fetchNextPage()
  }
  return (
    <section aria-labelledby="members">
      <Title order={2} size="h3" mb={4} id="members">
        Members
      </Title>
      <Group gap={6}>
        {shown.map((member) => (
          <Anchor
            key={member.username}
            component={Link}
            to={pages.namespace(member.username)}
            title={member.username}
            aria-label={member.username}
          >
            <AvatarPicture ns={member.username} size={32} />
          </Anchor>
        ))}
      </Group>
      {(members.length > shown.length || query.hasNextPage) && (
        <Button size="xs" variant="default" mt="xs" loading={query.isFetchingNextPage} onClick={showMore}>
          Show more
        </Button>
      )}
    </section>
  )
}
