import { Radio, Stack, Text } from '@mantine/core'
import type { CommitChoice, CommitWay } from '../lib/commit-ways.ts'

interface CommitTargetProps {
  rev: string
  choice: CommitChoice
  isDisabled?: boolean
}

/** Asks whether a commit goes to the branch or opens a pull request; tells those who have no choice. */
export function CommitTarget({ rev, choice: { ways, way, choose }, isDisabled = false }: CommitTargetProps) {
  if (ways.length < 2)
    return way === 'pull_request' ? (
      <Text size="sm" c="dimmed">
        You may not commit to {rev} yourself: this opens a pull request, which a writer can merge.
      </Text>
    ) : null
  return (
    <Radio.Group
      label="How to commit"
      value={way ?? null}
      onChange={(value) => choose(value as CommitWay)}
      readOnly={isDisabled}
    >
      <Stack gap={6} mt={6}>
        <Radio value="direct" label={`Directly to ${rev}`} disabled={isDisabled} />
        <Radio
          value="pull_request"
          label="As a pull request, to be looked at and merged"
          disabled={isDisabled}
        />
      </Stack>
    </Radio.Group>
  )
}
