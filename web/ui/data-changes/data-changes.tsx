import { Alert, Badge, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { problemText } from '../../lib/form-errors.ts'
import { formatSize } from '../../lib/format.ts'
import { useRepo } from '../../lib/repo-context.ts'
import { useMe } from '../../lib/session.ts'
import { JobProgress } from '../job-progress.tsx'
import { Loaded } from '../loaded.tsx'
import classes from '../ui.module.css'
import {
  dataChangesQuery,
  useDataComparison,
  type Commits,
  type ConfigChanges,
  type DataChanges as Changes,
} from './queries.ts'
import { Schema } from './schema.tsx'
import { SplitRow } from './split-row.tsx'

/** How the rows and columns of a dataset differ between two commits. Nothing where no data differ. */
export default function DataChanges({ commits }: { commits: Commits }) {
  const { address } = useRepo()
  const query = useQuery(dataChangesQuery(address, commits))
  if (query.data?.changes && isNothing(query.data.changes)) return null
  return (
    <section className={classes['frame']} aria-label="Changes of the data">
      <div className={classes['frameHead']}>
        <Title order={2}>Data</Title>
      </div>
      <Stack gap="md" p="sm">
        <Loaded
          query={query}
          skeleton={
            <Text size="sm" c="dimmed" role="status">
              Comparing the rows…
            </Text>
          }
        >
          {({ changes, bytes }) =>
            changes ? <Result changes={changes} /> : <Start commits={commits} bytes={bytes} />
          }
        </Loaded>
      </Stack>
    </section>
  )
}

const isNothing = ({ configs, problem }: Changes) => configs.length === 0 && !problem

function Result({ changes: { configs, problem, truncated } }: { changes: Changes }) {
  return (
    <>
      {problem && (
        <Text size="sm">
          <Text span inherit fw={600}>
            The data cannot be read:
          </Text>{' '}
          {problem.message}
        </Text>
      )}
      {configs.map((config) => (
        <Config key={config.name} config={config} isOnly={configs.length === 1} />
      ))}
      {truncated && (
        <Text size="sm" c="dimmed">
          More configs or splits differ. Their files are in the list below.
        </Text>
      )}
    </>
  )
}

function Config({ config, isOnly }: { config: ConfigChanges; isOnly: boolean }) {
  const { name, key, status, schema, splits } = config
  return (
    <Stack gap="xs">
      {!(isOnly && name === 'default') && (
        <Group gap="xs">
          <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          {status !== 'changed' && (
            <Badge size="sm" variant="light" color={status === 'added' ? 'safe' : 'danger'}>
              {status}
            </Badge>
          )}
        </Group>
      )}
      <Schema schema={schema} />
      {splits.map((split) => (
        <SplitRow key={split.name} split={split} keyNames={key} />
      ))}
    </Stack>
  )
}

function Start({ commits, bytes }: { commits: Commits; bytes: number }) {
  const { address } = useRepo()
  const me = useMe()
  const { start, job, isRunning } = useDataComparison(address, commits)
  if (!me)
    return (
      <Text size="sm" c="dimmed">
        Sign in to have the rows of {formatSize(bytes)} of data compared.
      </Text>
    )
  return (
    <Stack gap="xs" aria-live="polite">
      {job && isRunning ? (
        <JobProgress job={job} />
      ) : (
        <Group gap="sm">
          <Button size="xs" variant="default" loading={start.isPending} onClick={() => start.mutate()}>
            Compare the rows
          </Button>
          <Text size="sm" c="dimmed">
            A job reads {formatSize(bytes)} of data files.
          </Text>
        </Group>
      )}
      {start.isError && <Alert color="danger">{problemText(start.error)}</Alert>}
      {job?.status === 'failed' && (
        <Alert color="danger" title="The rows were not compared">
          {job.problem?.message}
        </Alert>
      )}
    </Stack>
  )
}
