import { Text } from '@mantine/core'
import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import type { DiscussionEvent } from '../../lib/types.ts'
import { AvatarPicture } from '../../ui/avatar-picture.tsx'

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
        <span style={{ display: 'inline-block', marginRight: 6, verticalAlign: 'middle' }}>
          <AvatarPicture ns={author.username} size={20} />
        </span>
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
