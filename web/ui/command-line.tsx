import { Box, Group, Text } from '@mantine/core'
import { CopyButton } from './copy-button.tsx'
import classes from './ui.module.css'

interface CommandLineProps {
  command: string
  label?: string
  /** What screen readers call it where no label stands above. */
  name?: string
  /** Shows all of it on several lines, for what is copied by eye too. */
  wraps?: boolean
}

/** A command or snippet to take along, with its copy button. */
export function CommandLine({ command, label, name = label ?? 'Command', wraps = false }: CommandLineProps) {
  return (
    <Box maw="100%">
      {label && (
        <Text size="xs" c="dimmed" mb={4}>
          {label}
        </Text>
      )}
      <Group className={classes['command']} wrap="nowrap" align="flex-start" gap="xs">
        <pre
          className={classes['commandText']}
          tabIndex={0}
          aria-label={name}
          data-wraps={wraps || undefined}
        >
          {command}
        </pre>
        <CopyButton text={command} label="Copy command" />
      </Group>
    </Box>
  )
}
