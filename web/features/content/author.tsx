import { Avatar, Group, Text } from '@mantine/core'
import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import type { Commit } from '../../lib/types.ts'
import { AvatarPicture } from '../../ui/avatar-picture.tsx'

/** Who made a commit; a link where the server knows the person. */
export function Author({ commit }: { commit: Commit }) {
  const { username, name } = commit.author
  return (
    <Group gap={4}>
      {username ? (
        <AvatarPicture ns={username} size={18} />
      ) : (
        <Avatar size={18} radius="xl" name={name} alt="" />
      )}
      {username ? (
        <Text component={Link} to={pages.namespace(username)} size="xs" c="inherit">
          {username}
        </Text>
      ) : (
        <Text size="xs">{name}</Text>
      )}
    </Group>
  )
}
