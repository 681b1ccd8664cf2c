import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import classes from './ui.module.css'

/** Copies a text; `label` says which. A plain button, since lists carry hundreds. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const clipboard = useClipboard({ timeout: 1500 })
  return (
    <button
      type="button"
      className={classes['copy']}
      data-copied={clipboard.copied || undefined}
      aria-label={label}
      title={clipboard.copied ? 'Copied' : label}
      onClick={() => clipboard.copy(text)}
    >
      {clipboard.copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
    </button>
  )
}
