import { Checkbox, Radio, Stack, Text } from '@mantine/core'
import type { CommitChoice, CommitWay } from '../lib/commit-ways.ts'

interface CommitTargetProps {
  rev: string
  choice: CommitChoice
  isDisabled?: boolean
}

/**
 * Asks whether a commit goes to the branch or opens a pull request, and whether that is a draft; tells those who have no
 * choice of the way.
 */
export function CommitTarget({ rev, choice, isDisabled = false }: CommitTargetProps) {
  const { ways, way, choose } = choice
  return (
    <>
      {ways.length > 1 ? (
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
      ) : (
        way === 'pull_request' && (
          <Text size="sm" c="dimmed">
            You may not commit to {rev} yourself: this opens a pull request, which a writer can merge.
          </Text>
        )
      )}
      {way === 'pull_request' && <DraftChoice {...choice} isDisabled={isDisabled} />}
    </>
  )
}

interface DraftChoiceProps extends Pick<CommitChoice, 'isDraft' | 'setDraft'> {
  isDisabled?: boolean
}

/** Asks whether the pull request to be opened is a draft. */
export function DraftChoice({ isDraft, setDraft, isDisabled = false }: DraftChoiceProps) {
  return (
    <Checkbox
      label="Create as draft"
      description="It cannot be merged until you or a writer says that it is ready."
      checked={isDraft}
      disabled={isDisabled}
      onChange={(event) => setDraft(event.currentTarget.checked)}
    />
  )
}
