import { SegmentedControl, Skeleton, Switch, Text } from '@mantine/core'
import { Suspense, useState } from 'react'
import { late } from '../../../ui/late.tsx'
import frame from '../../../ui/ui.module.css'
import { DocumentText } from '../document.tsx'
import classes from './editor.module.css'
import type { TextSource } from './text-editor.tsx'
import { vimKeys } from './vim-keys.ts'

const TextEditor = late(() => import('./text-editor.tsx'))
const Changes = late(() => import('./changes.tsx'))

type Mode = 'Write' | 'Preview' | 'Changes'

interface EditorProps {
  rev: string
  path: string
  before: string
  /** Where the text is read; set once the field is there. */
  source: TextSource | undefined
  onReady: (source: TextSource) => void
  isChanged: boolean
  onChange: (isChanged: boolean) => void
}

/** Writes a text; shows a Markdown text as people will read it, and what a commit would change. */
export function Editor({ rev, path, before, source, onReady, isChanged, onChange }: EditorProps) {
  const [mode, setMode] = useState<Mode>('Write')
  const [text, setText] = useState(before)
  const [hasVimKeys, setHasVimKeys] = useState(vimKeys.isOn)
  const isMarkdown = /\.(md|markdown)$/i.test(path)
  const choose = (next: string) => {
    setText(source?.text() ?? text)
    setMode(next as Mode)
  }
  return (
    <div className={classes['frame']}>
      <div className={frame['frameHead']}>
        <SegmentedControl
          size="xs"
          aria-label="What to show"
          data={['Write', ...(isMarkdown ? ['Preview'] : []), 'Changes']}
          value={mode}
          onChange={choose}
        />
        {isMarkdown && mode === 'Write' && (
          <Text size="xs" c="dimmed">
            Between the two --- lines, Ctrl+Space lists the keys of the metadata.
          </Text>
        )}
        {mode === 'Write' && (
          <Switch
            size="xs"
            label="Vim keys"
            checked={hasVimKeys}
            onChange={({ currentTarget }) => {
              vimKeys.turn(currentTarget.checked)
              setHasVimKeys(currentTarget.checked)
            }}
          />
        )}
      </div>
      {/* It stays, with its undo, while something else is shown. */}
      <div hidden={mode !== 'Write'}>
        <Suspense fallback={<Skeleton className={classes['editor'] ?? ''} radius={0} />}>
          <TextEditor
            initial={before}
            before={before}
            name={path}
            hasVimKeys={hasVimKeys}
            onReady={onReady}
            onChange={onChange}
          />
        </Suspense>
      </div>
      {mode === 'Preview' && (
        <article className={classes['preview']}>
          <DocumentText text={text} rev={rev} path={path} />
        </article>
      )}
      {mode === 'Changes' &&
        (isChanged ? (
          <Suspense fallback={<Skeleton className={classes['editor'] ?? ''} radius={0} />}>
            <Changes before={before} text={text} />
          </Suspense>
        ) : (
          <Text c="dimmed" p="md">
            Nothing is changed yet.
          </Text>
        ))}
    </div>
  )
}
