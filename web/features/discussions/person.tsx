import { Avatar, Text } from '@mantine/core'
import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import type { DiscussionEvent } from '../../lib/types.ts'

interface PersonProps {
  author: DiscussionEvent['author']
  hasPicture?: boolean
}

/** Who did something; accounts that are gone have no name. */
export function Person({ author, hasPicture = false }: PersonProps) {
  if (!author)
    return (
      <Text span inherit c="dimmed" fs="italic">
        a deleted account
      </Text>
    )
  return (
    <>
      {hasPicture && (
        <Avatar size={20} radius="xl" name={author.username} alt="" display="inline-flex" mr={6} />
      )}
      <Text
        component={Link}
        to={pages.namespace(author.username)}
        inherit
        fw={600}
        c="var(--mantine-color-text)"
        style={{ overflowWrap: 'anywhere' }}
      >
        {author.username}
      </Text>
    </>
  )
}
