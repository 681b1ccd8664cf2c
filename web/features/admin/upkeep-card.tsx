import { Anchor, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { CountNumber, Size, TimeAgo } from '../../ui/facts.tsx'
import { Section } from '../../ui/section.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { Figures } from './figures.tsx'
import { upkeepQuery, useStartGc, type Upkeep } from './queries.ts'
import { Alarm } from './storage-cards.tsx'

const kinds: Record<string, string> = {
  lfs: 'Large files',
  packs: 'Git packs',
  chunks: 'Chunk containers',
  attachments: 'Images',
  avatars: 'Avatars',
}

/** A number of a report, by the name of its part and its own. */
const figureOf = (report: Record<string, unknown>, part: string, name: string): number => {
  const counts = report[part]
  const value =
    typeof counts === 'object' && counts !== null ? (counts as Record<string, unknown>)[name] : undefined
  return typeof value === 'number' ? value : 0
}

/** What the last gc freed or would free, what is damaged, and when stored bytes were last read. */
export function UpkeepCard() {
  const query = useQuery(upkeepQuery)
  const start = useStartGc()
  return (
    <Section
      title="Upkeep"
      aside={
        <Button
          size="xs"
          variant="default"
          loading={start.isPending}
          onClick={() => start.mutate({ dry_run: true })}
        >
          Report what gc would free
        </Button>
      }
    >
      {start.error && <ErrorState error={start.error} onRetry={() => start.mutate({ dry_run: true })} />}
      {start.data && (
        <Text size="sm" mb="xs" role="status">
          The report is on its way:{' '}
          <Anchor component={Link} to={`/jobs/${start.data.id}`} inherit underline="always">
            follow the job
          </Anchor>
          .
        </Text>
      )}
      {query.error && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && <State upkeep={query.data} />}
    </Section>
  )
}

function State({ upkeep: { gc, held_until, scrubs, faults } }: { upkeep: Upkeep }) {
  return (
    <>
      <Figures
        rows={[
          ...(gc ? gcRows(gc) : []),
          ...(held_until
            ? [
                ['Deletions wait for a backup, at most', <TimeAgo key="h" time={held_until} />] as [
                  string,
                  React.ReactNode,
                ],
              ]
            : []),
          ...scrubs.map(({ kind, finished_at, read_bytes }): [string, React.ReactNode] => [
            `${kinds[kind] ?? kind} read again`,
            finished_at ? <TimeAgo key={kind} time={finished_at} /> : <Size key={kind} bytes={read_bytes} />,
          ]),
          ['Damaged', <Alarm key="d" count={faults.length} />],
        ]}
      />
      {faults.length > 0 && (
        <>
          <Text size="sm" mt="sm">
            Upload the same files again, or run <code>arsenal restore --damaged</code> with a backup.
          </Text>
          <Group component="ul" gap={4} mt="xs" p={0}>
            {faults.map(({ key, kind, message }) => (
              <Text
                key={key}
                component="li"
                size="xs"
                style={{ listStyle: 'none', overflowWrap: 'anywhere' }}
              >
                {kinds[kind] ?? kind}: {key}: {message}
              </Text>
            ))}
          </Group>
        </>
      )}
    </>
  )
}

function gcRows({ job_id, at, dry_run, report }: NonNullable<Upkeep['gc']>): [string, React.ReactNode][] {
  const objects = figureOf(report, 'lfs_objects', 'deleted')
  const bytes = figureOf(report, 'lfs_objects', 'bytes') + figureOf(report, 'packs', 'bytes')
  const packs = figureOf(report, 'packs', dry_run ? 'due' : 'deleted')
  return [
    [
      dry_run ? 'Reported' : 'Ran',
      <Anchor key="j" component={Link} to={`/jobs/${job_id}`} inherit underline="always">
        <TimeAgo time={at} />
      </Anchor>,
    ],
    [`Large files ${dry_run ? 'it would free' : 'freed'}`, <CountNumber key="o" value={objects} />],
    [`Packs ${dry_run ? 'it would free' : 'freed'}`, <CountNumber key="p" value={packs} />],
    [`Bytes ${dry_run ? 'it would free' : 'freed'}`, <Size key="b" bytes={bytes} />],
  ]
}
