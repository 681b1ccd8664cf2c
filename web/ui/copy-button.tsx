import { IconCheck, IconCopy, IconX } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { copyText } from '../lib/copy-text.ts'
import classes from './ui.module.css'

type Result = 'copied' | 'refused'

const shown = {
  copied: { title: 'Copied', Icon: IconCheck },
  refused: { title: 'The browser refused. Select the text and copy it.', Icon: IconX },
}

/** Copies a text and shows whether it did; `label` says which. A plain button, since lists carry hundreds. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [result, setResult] = useState<Result>()
  useEffect(() => {
    if (!result) return undefined
    const timer = setTimeout(() => setResult(undefined), result === 'copied' ? 1500 : 5000)
    return () => clearTimeout(timer)
  }, [result])
  const { title, Icon } = result ? shown[result] : { title: label, Icon: IconCopy }
  return (
    <button
      type="button"
      className={classes['copy']}
      data-result={result}
      aria-label={title}
      title={title}
      onClick={() => void copyText(text).then((isCopied) => setResult(isCopied ? 'copied' : 'refused'))}
    >
      <Icon size={14} />
    </button>
  )
}
