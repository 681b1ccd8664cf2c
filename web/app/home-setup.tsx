import {
  Alert,
  Anchor,
  Box,
  Button,
  Card,
  CloseButton,
  Group,
  List,
  Skeleton,
  Text,
  Title,
} from '@mantine/core'
import { useLocalStorage, useSessionStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { api } from '../lib/api.ts'
import { pages } from '../lib/pages.ts'
import type { Me, Repo } from '../lib/types.ts'
import { Commands } from '../ui/commands/commands.tsx'

/** Asks the first admin to choose a password of their own, once the list is closed. "Later" lasts as long as the browser tab. */
function OwnPassword({ me }: { me: Me }) {
  const [isLater, setLater] = useSessionStorage({ key: 'own-password-later', defaultValue: false })
  if (!me.password_generated || isLater) return null
  return (
    <Alert title="Choose a password of your own">
      <Text size="sm" mb="sm">
        This server made your password up and keeps it in a file of its data folder. The file is removed once
        you choose another password.
      </Text>
      <Group gap="sm">
        <Button size="xs" component={Link} to="/settings/password">
          Choose a password
        </Button>
        <Button size="xs" variant="default" onClick={() => setLater(true)}>
          Later
        </Button>
      </Group>
    </Alert>
  )
}

/** A repo begins with `.gitattributes` and perhaps a README, in one commit. */
const firstFiles = 2

/** Whether a repo has more than it began with. */
async function hasUpload({ type, ns, name, file_count }: Repo, signal: AbortSignal): Promise<boolean> {
  if (file_count === 0 || file_count > firstFiles) return file_count > 0
  const params = { type: `${type}s` as const, ns, name }
  const commits = await api.listCommits({ params, query: { limit: 2 } }, { signal })
  return commits.items.length > 1
}

const setupQuery = (me: Me) => ({
  queryKey: ['setup', me.id],
  // A step is done on another page, from which the person comes back to see it ticked.
  staleTime: 0,
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const [users, tokens, used, large] = await Promise.all([
      api.listAdminUsers({ query: { limit: 2 } }, { signal }),
      api.listTokens({ query: { limit: 1 } }, { signal }),
      api.listRepos({ query: { limit: 1, sort: 'downloads' } }, { signal }),
      api.listRepos({ query: { limit: 1, sort: 'size' } }, { signal }),
    ])
    const [largest] = large.items
    return {
      hasPeople: users.items.length > 1,
      hasToken: tokens.items.length > 0,
      hasUpload: largest !== undefined && (await hasUpload(largest, signal)),
      hasDownload: (used.items[0]?.downloads_total ?? 0) > 0,
      repo: largest,
    }
  },
})

/** What an admin does first on an empty server. Each step is ticked by what is there; the list goes when all are. */
export function Setup({ me }: { me: Me }) {
  const [isClosed, setClosed] = useLocalStorage({ key: 'setup-closed', defaultValue: false })
  const isWanted = me.is_admin && me.auth.kind === 'session' && !isClosed
  const { data } = useQuery({ ...setupQuery(me), enabled: isWanted })
  if (!isWanted) return <OwnPassword me={me} />
  // As high as the list, so that nothing moves when it comes.
  if (!data) return <Skeleton height={343} />
  const steps = [
    { isDone: !me.password_generated, to: '/settings/password', text: 'Choose a password of your own' },
    { isDone: data.hasPeople, to: '/admin/users', text: 'Add people' },
    { isDone: data.hasToken, to: '/settings/tokens', text: 'Make a token for command lines and scripts' },
    { isDone: data.hasUpload, to: '/new', text: 'Create a repo and upload the first file' },
    {
      isDone: data.hasDownload,
      to: data.repo ? pages.repo(data.repo) : '/models',
      text: 'Download it with hf download',
    },
  ]
  if (steps.every(({ isDone }) => isDone)) return null
  return (
    <Card withBorder component="section" aria-labelledby="setup">
      <Group justify="space-between" mb="xs">
        <Title order={2} id="setup">
          Set up this server
        </Title>
        <CloseButton aria-label="Close the list" onClick={() => setClosed(true)} />
      </Group>
      <List spacing="xs" listStyleType="none" withPadding={false}>
        {steps.map(({ isDone, to, text }) => (
          <List.Item key={text} icon={<span aria-hidden>{isDone ? '✓' : '○'}</span>}>
            {isDone ? (
              <Text span c="dimmed">
                {text} (done)
              </Text>
            ) : (
              <Anchor component={Link} to={to}>
                {text}
              </Anchor>
            )}
          </List.Item>
        ))}
      </List>
      <Box mt="sm">
        <Commands
          label="The first download, from a terminal or a program:"
          of={{
            kind: 'download',
            repo: data.repo?.full_name ?? `${me.username}/my-model`,
            type: data.repo?.type ?? 'model',
          }}
        />
      </Box>
    </Card>
  )
}
