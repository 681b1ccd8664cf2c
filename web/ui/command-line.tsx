import { Box, Group, Text } from '@mantine/core'
import { CopyButton } from './copy-button.tsx'
import classes from './ui.module.css'

/** A command or snippet to take along, with its copy button. */
export function CommandLine({ command, label }: { command: string; label?: string }) {
  return (
    <Box maw="100%">
      {label && (
        <Text size="xs" c="dimmed" mb={4}>
          {label}
        </Text>
      )}
      <Group className={classes['command']} wrap="nowrap" align="flex-start" gap="xs">
        <pre className={classes['commandText']} tabIndex={0} aria-label={label ?? 'Command'}>
          {command}
        </pre>
        <CopyButton text={command} label="Copy command" />
      </Group>
    </Box>
  )
}
