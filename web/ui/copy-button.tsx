import { ActionIcon, Tooltip } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'

/** Copies a text; `label` says which. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const clipboard = useClipboard({ timeout: 1500 })
  return (
    <Tooltip label={clipboard.copied ? 'Copied' : label}>
      <ActionIcon
        variant="subtle"
        color={clipboard.copied ? 'safe' : 'gray'}
        size="sm"
        aria-label={label}
        onClick={() => clipboard.copy(text)}
      >
        {clipboard.copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
      </ActionIcon>
    </Tooltip>
  )
}
