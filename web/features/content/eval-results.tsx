import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { formatExact } from '../../lib/format.ts'
import classes from './content.module.css'
import { evalValues, type EvalValue } from './eval-values.ts'

/** Shown before "Show all". */
const FIRST = 8

/** What a model has reached in evaluations, as its card says; nothing where it says nothing. */
export default function EvalResults({ modelIndex }: { modelIndex: unknown[] }) {
  const values = useMemo(() => evalValues(modelIndex), [modelIndex])
  const [isWhole, setWhole] = useState(false)
  if (values.length === 0) return null
  const shown = isWhole ? values : values.slice(0, FIRST)
  return (
    <Stack gap={6} component="section" aria-label="Evaluation results">
      <Group justify="space-between">
        <Title order={2} fz="sm">
          Evaluation results
        </Title>
        <Text size="sm">{formatExact(values.length)}</Text>
      </Group>
      <ul className={classes['results']}>
        {shown.map((value, i) => (
          // Nothing else tells two values apart: a card may name one twice.
          <Result key={i} value={value} />
        ))}
      </ul>
      {values.length > FIRST && (
        <Button size="compact-xs" variant="subtle" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show all ${formatExact(values.length)}`}
        </Button>
      )}
    </Stack>
  )
}

function Result({ value: { dataset, metric, value, isVerified, source } }: { value: EvalValue }) {
  return (
    <li>
      <div className={classes['need']}>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {metric}
        </Text>
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {value}
        </Text>
      </div>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {dataset} ·{' '}
        {isVerified ? (
          <>
            <IconCircleCheck size={12} aria-hidden /> verified
          </>
        ) : (
          'self-reported'
        )}
        {source && (
          <>
            {' '}
            ·{' '}
            <Anchor href={source.url} rel="noopener noreferrer nofollow" inherit underline="always">
              {source.name}
            </Anchor>
          </>
        )}
      </Text>
    </li>
  )
}
