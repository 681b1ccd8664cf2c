import { Group, Progress, Stack, Text } from '@mantine/core'
import { formatDuration, formatSize } from '../../lib/format.ts'
import type { UploadEntry, UploadState } from './state.ts'

/** How far the whole is: what is being done, how fast, how long it takes. */
export function UploadProgress({ state }: { state: UploadState }) {
  const { done, total, text, rate } = summaryOf(state)
  const left = rate > 0 && done < total ? ` · ${formatDuration((total - done) / rate)} left` : ''
  return (
    <Stack gap={4}>
      <Progress
        value={total > 0 ? (done / total) * 100 : state.stage === 'choosing' ? 0 : 100}
        animated={state.stage !== 'choosing' || done < total}
        aria-label={text}
      />
      <Group justify="space-between">
        <Text size="xs" c="dimmed" aria-live="polite">
          {text}
        </Text>
        <Text size="xs" c="dimmed">
          {total > 0 && `${formatSize(done)} of ${formatSize(total)}`}
          {rate > 0 && done < total && ` · ${formatSize(rate)}/s`}
          {left}
        </Text>
      </Group>
    </Stack>
  )
}

function summaryOf({ entries, stage, hashRate, sendRate }: UploadState) {
  const isHashing = entries.some((entry) => entry.phase === 'hashing')
  if (isHashing) {
    const done = sum(entries, (entry) => (entry.phase === 'hashing' ? entry.doneBytes : entry.file.size))
    return { done, total: sum(entries, (entry) => entry.file.size), text: 'Hashing', rate: hashRate }
  }
  const uploads = entries.filter((entry) => entry.mode === 'upload')
  const total = sum(uploads, (entry) => entry.file.size)
  const done = sum(uploads, (entry) => (entry.phase === 'ready' ? 0 : entry.doneBytes))
  const texts = {
    choosing: 'Ready to upload',
    planning: 'Asking what is needed',
    sending: 'Sending',
    committing: 'Committing',
    done: 'Done',
  }
  return { done, total, text: texts[stage], rate: stage === 'sending' ? sendRate : 0 }
}

const sum = (entries: UploadEntry[], of: (entry: UploadEntry) => number) =>
  entries.reduce((total, entry) => total + of(entry), 0)
