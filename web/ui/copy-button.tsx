import { ActionIcon } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'

/** Copies a text; `label` says which. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const clipboard = useClipboard({ timeout: 1500 })
  return (
    <ActionIcon
      variant="subtle"
      color={clipboard.copied ? 'safe' : 'gray'}
      size="sm"
      aria-label={label}
      title={clipboard.copied ? 'Copied' : label}
      onClick={() => clipboard.copy(text)}
    >
      {clipboard.copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
    </ActionIcon>
  )
}
