import { Alert, Anchor, Group, List, Progress, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import type { Job } from '../../lib/types.ts'
import { Size } from '../../ui/facts.tsx'
import { pullQuery } from './queries.ts'

const colors: Record<string, string> = { done: 'safe', skipped: 'safe', failed: 'danger' }
const texts: Record<string, string> = { skipped: 'already here' }

/** The large files of a pull or sync, each with its bar; why it waits; what did not come; the pulls of what the repo depends on. */
export function PulledFiles({ job, isRunning }: { job: Job; isRunning: boolean }) {
  const { data: pull } = useQuery(pullQuery(job, isRunning))
  if (!pull) return null
  return (
    <Stack gap="sm">
      {pull.note && isRunning && <Alert color="pending">{pull.note}</Alert>}
      {pull.warnings.length > 0 && (
        <Alert color="caution" title="Not everything came">
          <List size="sm">
            {pull.warnings.map((warning) => (
              <List.Item key={warning} style={{ overflowWrap: 'anywhere' }}>
                {warning}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {pull.files.length > 0 && <Title order={2}>Files</Title>}
      {pull.files.map(({ path, size, done, status, error }) => (
        <div key={path}>
          <Group justify="space-between" gap="xs">
            <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
              {path}
            </Text>
            <Text size="xs" c="dimmed">
              {texts[status] ?? status} · <Size bytes={done} /> of <Size bytes={size} />
            </Text>
          </Group>
          <Progress
            mt={4}
            value={size === 0 ? 100 : (done / size) * 100}
            color={colors[status] ?? 'accent'}
            aria-label={`Progress of ${path}`}
          />
          {error && (
            <Text size="xs" c="danger" mt={4}>
              {error}
            </Text>
          )}
        </div>
      ))}
      {pull.children.map((id) => (
        <Anchor key={id} component={Link} to={pages.job(id)} size="sm">
          Pull of a dependency
        </Anchor>
      ))}
    </Stack>
  )
}
