import { Progress, Stack, Text } from '@mantine/core'
import { formatSize } from '../lib/format.ts'
import { Size } from './facts.tsx'

interface StorageBarProps {
  /** Whose, for those who do not see the bar. */
  of: string
  usedBytes: number
  /** Any number when left out. */
  quotaBytes?: number | undefined
}

/** What a Namespace holds, and of how much. */
export function StorageBar({ of, usedBytes, quotaBytes }: StorageBarProps) {
  const share = quotaBytes ? Math.min(100, (usedBytes / quotaBytes) * 100) : 100
  return (
    <Stack gap={4}>
      <Text size="sm" component="div">
        <Size bytes={usedBytes} />
        {quotaBytes === undefined ? (
          ' stored'
        ) : (
          <>
            {' of '}
            <Size bytes={quotaBytes} />
          </>
        )}
      </Text>
      {quotaBytes !== undefined && (
        <Progress
          value={share}
          color={share >= 90 ? 'danger' : 'accent'}
          aria-label={`Storage of ${of}: ${formatSize(usedBytes)} of ${formatSize(quotaBytes)}`}
        />
      )}
    </Stack>
  )
}
