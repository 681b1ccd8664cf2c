import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { linesText } from './lines-text.ts'
import type { PendingComment, PendingReview } from './pending.ts'

interface EarlierCommentsProps {
  comments: PendingComment[]
  head: string
  pending: PendingReview
}

/** Comments that were written before the newest commits: their author says whether they still stand where they did. */
export function EarlierComments({ comments, head, pending }: EarlierCommentsProps) {
  return (
    <Alert color="caution" title="The pull request has new commits since you wrote these comments">
      <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {comments.map(({ id, place, body }) => (
          <li key={id}>
            <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
              {place.path}, {linesText(place).toLowerCase()}
            </Text>
            <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }} lineClamp={6}>
              {body}
            </Text>
            <Group gap="xs" mt={4}>
              <Button
                size="compact-xs"
                variant="default"
                onClick={() => pending.change(id, { place: { ...place, commit: head } })}
              >
                Keep on {linesText(place).toLowerCase()}
              </Button>
              <Button size="compact-xs" variant="default" onClick={() => pending.remove(id)}>
                Delete
              </Button>
            </Group>
          </li>
        ))}
      </Stack>
    </Alert>
  )
}
