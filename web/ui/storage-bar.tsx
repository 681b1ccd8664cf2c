import { Progress, Stack, Text } from '@mantine/core'
import { formatSize } from '../lib/format.ts'
import { Size } from './facts.tsx'

interface StorageBarProps {
  /** Whose, for those who do not see the bar. */
  of: string
  usedBytes: number
  /** Uploaded or announced, and not committed yet. */
  pendingBytes?: number
  /** Any number when left out. */
  quotaBytes?: number | undefined
}

/** What a namespace holds, and of how much. */
export function StorageBar({ of, usedBytes, pendingBytes = 0, quotaBytes }: StorageBarProps) {
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
        {pendingBytes > 0 && (
          <>
            {', and '}
            <Size bytes={pendingBytes} />
            {' waiting for a commit'}
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
