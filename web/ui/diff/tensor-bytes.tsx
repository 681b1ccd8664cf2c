import { Alert, Button, Group, List, Progress, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { problemText } from '../../lib/form-errors.ts'
import { formatExact, formatSize } from '../../lib/format.ts'
import { notifyProblem } from '../../lib/notify.ts'
import { useRepo } from '../../lib/repo-context.ts'
import { useMe } from '../../lib/session.ts'
import type { Job } from '../../lib/types.ts'
import { Loaded } from '../loaded.tsx'
import { comparisonQuery, useComparison, type Sides } from './queries.ts'

/** Names that are shown at first. */
const few = 20

/** Which tensors of equal dtype and shape have other bytes: known, or to be found out by a job. */
export function TensorBytes({ sides, alike }: { sides: Sides; alike: number }) {
  const { address } = useRepo()
  const query = useQuery(comparisonQuery(address, sides))
  return (
    <section aria-label="Bytes of the tensors">
      <Loaded query={query} skeleton={<Text size="sm">Asking whether their bytes were compared…</Text>}>
        {(known) =>
          known.different ? (
            <Result
              equal={known.equal ?? 0}
              different={known.different.count}
              names={known.different.items}
              readBytes={known.read ?? 0}
            />
          ) : (
            <Start sides={sides} alike={alike} />
          )
        }
      </Loaded>
    </section>
  )
}

interface ResultProps {
  equal: number
  different: number
  names: string[]
  readBytes: number
}

function Result({ equal, different, names, readBytes }: ResultProps) {
  const [isAll, setAll] = useState(false)
  const shown = isAll ? names : names.slice(0, few)
  return (
    <Stack gap="xs" aria-live="polite">
      <Text size="sm">
        {different === 0
          ? `The bytes of all ${formatExact(equal)} tensors are equal.`
          : `${formatExact(different)} of ${formatExact(equal + different)} tensors have other bytes.`}{' '}
        <Text span inherit c="dimmed">
          {formatSize(readBytes)} were read.
        </Text>
      </Text>
      {shown.length > 0 && (
        <List size="sm" aria-label="Tensors with other bytes">
          {shown.map((name) => (
            <List.Item key={name} ff="monospace" style={{ overflowWrap: 'anywhere' }}>
              {name}
            </List.Item>
          ))}
        </List>
      )}
      {shown.length < names.length && (
        <Button size="xs" variant="default" w="fit-content" onClick={() => setAll(true)}>
          Show {formatExact(names.length)}
        </Button>
      )}
      {isAll && names.length < different && (
        <Text size="sm" c="dimmed">
          The first {formatExact(names.length)} of {formatExact(different)}.
        </Text>
      )}
    </Stack>
  )
}

function Start({ sides, alike }: { sides: Sides; alike: number }) {
  const { address } = useRepo()
  const me = useMe()
  const { start, job, cancel, isRunning } = useComparison(address, sides)
  if (!me)
    return (
      <Text size="sm" c="dimmed">
        Sign in to have the bytes of {formatExact(alike)} tensors compared.
      </Text>
    )
  return (
    <Stack gap="xs">
      {job && isRunning ? (
        <Running
          job={job}
          isCancelling={cancel.isPending}
          onCancel={() => cancel.mutate(undefined, { onError: notifyProblem })}
        />
      ) : (
        <Group gap="sm">
          <Button size="xs" variant="default" loading={start.isPending} onClick={() => start.mutate()}>
            Compare the bytes
          </Button>
          <Text size="sm" c="dimmed">
            Equal dtypes and shapes say nothing of the values. A job reads both files.
          </Text>
        </Group>
      )}
      {start.isError && <Alert color="danger">{problemText(start.error)}</Alert>}
      {job?.status === 'failed' && (
        <Alert color="danger" title="The bytes were not compared">
          {job.problem?.message}
        </Alert>
      )}
      {job?.status === 'cancelled' && <Text size="sm">The comparison was cancelled.</Text>}
    </Stack>
  )
}

function Running({ job, isCancelling, onCancel }: { job: Job; isCancelling: boolean; onCancel: () => void }) {
  const { done, total } = job.progress
  return (
    <Group gap="sm" aria-live="polite">
      <Progress
        flex={1}
        miw={120}
        value={total ? (done / total) * 100 : 0}
        animated
        aria-label="Progress of the comparison"
      />
      <Text size="xs" c="dimmed">
        {job.status === 'queued' ? 'queued' : `${formatSize(done)} of ${formatSize(total ?? done)}`}
      </Text>
      <Button size="compact-xs" variant="default" loading={isCancelling} onClick={onCancel}>
        Cancel
      </Button>
    </Group>
  )
}
