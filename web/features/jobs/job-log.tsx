import { Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { Fragment, useLayoutEffect, useRef, useState } from 'react'
import { dateFormat, formatExact, formatExactTime } from '../../lib/format.ts'
import { saveText } from '../../lib/save-text.ts'
import type { Job } from '../../lib/types.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { ListSkeleton } from '../../ui/states.tsx'
import classes from './jobs.module.css'
import { foundLines, leftOutText, logText, type FoundLine } from './log-text.ts'
import { isUnfinished, useJobLog } from './queries.ts'

/** What the job has said of itself, over all attempts; follows it while it runs. */
export function JobLog({ job }: { job: Job }) {
  const query = useJobLog(job)
  const lines = query.data ?? []
  const [searched, setSearched] = useState('')
  const found = foundLines(lines, searched)
  return (
    <Stack gap="xs" component="section" aria-label="Log">
      <Group justify="space-between" gap="xs" mih={30}>
        <Group gap="xs" align="baseline">
          <Title order={2}>Log</Title>
          <Text role="status" size="xs" c="dimmed">
            {searched !== '' && `${formatExact(found.length)} of ${formatExact(lines.length)} lines`}
          </Text>
        </Group>
        {lines.length > 0 && (
          <Group gap="xs">
            <TextInput
              size="xs"
              type="search"
              aria-label="Find in the log"
              placeholder="Find in the log"
              value={searched}
              onChange={({ currentTarget }) => setSearched(currentTarget.value)}
            />
            <CopyButton text={logText(lines)} label="Copy the log" />
            <Button
              size="xs"
              variant="default"
              onClick={() => saveText(`job-${job.id}.txt`, 'text/plain;charset=utf-8', logText(lines))}
            >
              Download the log
            </Button>
          </Group>
        )}
      </Group>
      {job.log_lines === 0 ? (
        <Text size="sm" c="dimmed">
          {isUnfinished(job)
            ? 'Nothing yet. What the job does appears here while it runs.'
            : 'This job has no log.'}
        </Text>
      ) : (
        <Loaded query={query} skeleton={<ListSkeleton rows={1} height={120} />}>
          {() => <Lines lines={found} />}
        </Loaded>
      )}
    </Stack>
  )
}

/** How far above the end a person may be whose view still follows it. */
const NEAR_PX = 24

function Lines({ lines }: { lines: FoundLine[] }) {
  const frame = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  // After each render: lines may have come.
  useLayoutEffect(() => {
    if (frame.current && isAtEnd.current) frame.current.scrollTop = frame.current.scrollHeight
  })
  return (
    <Paper withBorder>
      <div
        ref={frame}
        role="log"
        aria-label="Lines of the log"
        tabIndex={0}
        className={classes['log']}
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          isAtEnd.current = scrollTop + clientHeight >= scrollHeight - NEAR_PX
        }}
      >
        {lines.map(({ number, attempt, at, leftOut, parts }) => (
          <Fragment key={number}>
            {leftOut > 0 && <div className={classes['leftOut']}>{leftOutText(leftOut)}</div>}
            <div>
              <time className={classes['at']} dateTime={at} title={formatExactTime(at)}>
                {clockTime(at)}
              </time>
              <span
                className={classes['at']}
                title={attempt === 0 ? 'Before the first attempt' : `Attempt ${attempt}`}
              >
                {attempt === 0 ? ' –' : `#${attempt}`}
              </span>
              <span className={classes['text']}>
                {parts.map((part, i) => (i % 2 === 1 ? <mark key={i}>{part}</mark> : part))}
              </span>
            </div>
          </Fragment>
        ))}
      </div>
    </Paper>
  )
}

/** By 24 hours everywhere, so that the lines stand in columns. */
const clockTime = dateFormat({ timeStyle: 'medium', hourCycle: 'h23' })
