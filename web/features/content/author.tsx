import { Avatar, Group, Text } from '@mantine/core'
import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import type { Commit } from '../../lib/types.ts'

/** Who made a commit; a link where the server knows the person. */
export function Author({ commit }: { commit: Commit }) {
  const { username, name } = commit.author
  return (
    <Group gap={4}>
      <Avatar size={16} radius="xl" name={username ?? name} alt="" />
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
