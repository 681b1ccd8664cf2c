import { Stack, Text } from '@mantine/core'
import { limits } from '../../../shared/vocabulary.ts'
import type { ChangedFile } from '../../lib/types.ts'
import { CommandLine } from '../command-line.tsx'

/** Whether the list of files ends before the last one that changed. */
export const isListCut = (files: ChangedFile[], truncated: boolean) =>
  truncated && files.length >= limits.commitFiles

/** Says that a change is too large to be shown in full, what is missing, and the command that shows it. */
export function CutNote({ files, command }: { files: ChangedFile[]; command: string }) {
  const missing = isListCut(files, true)
    ? `Only the first ${limits.commitFiles} files are listed, and their lines are not counted.`
    : 'The lines of some files are not counted.'
  return (
    <Stack gap={4} role="note">
      <Text size="sm">This change is too large to show in full. {missing}</Text>
      <CommandLine command={command} label="To see all of it, run this in a clone" />
    </Stack>
  )
}
