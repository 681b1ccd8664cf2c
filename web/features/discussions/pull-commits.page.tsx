import { Group, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import { TimeAgo } from '../../ui/facts.tsx'
import { Sha } from '../../ui/sha.tsx'
import frame from '../../ui/ui.module.css'
import CommandsForPull from './commands-for-pull.tsx'
import { Person } from './person.tsx'
import { commitsOf, useThread } from './thread.ts'

/** The commits of a pull request, oldest first. */
export function Component() {
  const { repo } = useRepo()
  const discussion = useThread()
  const commits = commitsOf(discussion)
  if (commits.length === 0) return <CommandsForPull discussion={discussion} />
  return (
    <ol className={frame['frame']} aria-label="Commits" style={{ listStyle: 'none', margin: 0, padding: 0 }}>
      {commits.map(({ id, commit, author, created_at }) => (
        <li key={id} className={frame['frameRow']}>
          <Group justify="space-between" wrap="nowrap" gap="sm">
            <Stack gap={2} miw={0}>
              <Text
                component={Link}
                to={pages.commit(repo, commit?.sha ?? '')}
                fw={500}
                c="inherit"
                truncate="end"
                title={commit?.title}
              >
                {commit?.title ?? commit?.sha.slice(0, 8)}
              </Text>
              <Text size="xs" c="dimmed" component="div">
                <Person author={author} /> <TimeAgo time={created_at} />
              </Text>
            </Stack>
            <Sha sha={commit?.sha ?? ''} label="Copy the full sha" />
          </Group>
        </li>
      ))}
    </ol>
  )
}
