import { Anchor, Badge, Group, Table, Text } from '@mantine/core'
import { Link } from 'react-router'
import { AvatarPicture } from '../../ui/avatar-picture.tsx'
import { Size, TimeAgo } from '../../ui/facts.tsx'
import type { AdminUser } from './queries.ts'
import { UserActions } from './user-actions.tsx'

/** One user: who they are, how they sign in, what they hold, and what can be done. */
export function UserRow({ user }: { user: AdminUser }) {
  const { username, display_name } = user
  const ways = [
    ...(user.has_password ? ['password'] : []),
    ...user.identities.map(({ provider }) => provider),
  ]
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs">
          <AvatarPicture ns={username} size={24} />
          <Anchor component={Link} to={`/admin/users/${user.id}`} ff="monospace" size="sm">
            {username}
          </Anchor>
          {user.is_admin && <Badge size="sm">admin</Badge>}
          {user.disabled && (
            <Badge size="sm" color="danger">
              disabled
            </Badge>
          )}
        </Group>
        {display_name !== username && (
          <Text size="xs" c="dimmed">
            {display_name}
          </Text>
        )}
      </Table.Td>
      <Table.Td data-label="Email" style={{ overflowWrap: 'anywhere' }}>
        {user.email ?? '–'}
        {user.pending_email && (
          <Text size="xs" c="dimmed">
            {user.pending_email} awaits confirmation
          </Text>
        )}
      </Table.Td>
      <Table.Td data-label="Signs in with">{ways.join(', ') || 'nothing yet'}</Table.Td>
      <Table.Td data-label="Repos">
        {user.repo_count} · <Size bytes={user.storage_bytes} />
      </Table.Td>
      <Table.Td data-label="Last seen">
        {user.last_seen_at ? <TimeAgo time={user.last_seen_at} /> : 'never'}
      </Table.Td>
      <Table.Td ta="right">
        <UserActions user={user} />
      </Table.Td>
    </Table.Tr>
  )
}
