import { SegmentedControl, Text } from '@mantine/core'
import { Suspense, useMemo, useState } from 'react'
import { fileUrl } from '../../../shared/transfer.ts'
import { parseExact } from '../../lib/exact-json.ts'
import { formatExact } from '../../lib/format.ts'
import { pages } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import { JsonTree } from '../json-tree.tsx'
import classes from './value.module.css'
import { late } from '../late.tsx'

const Markdown = late(() => import('../markdown/markdown.tsx'))

/** Longer texts are shown as they are written alone. */
const maxLaidOut = 100_000
/** Headings, lists, code, quotes, tables, bold text or links. */
const markdownSign = /(^|\n)(#{1,6} |[-*+] |\d+\. |```|> |\|)|\*\*\S|\[[^\]\n]+\]\(/

/** A text in full; as a document or a tree where it is Markdown or JSON, when one asks for it. */
export function LongText({ text, isCut }: { text: string; isCut: boolean }) {
  const [mode, setMode] = useState('Text')
  const json = useMemo(() => (isCut ? undefined : jsonOf(text)), [text, isCut])
  const canLayOut = text.length <= maxLaidOut
  const modes = [
    'Text',
    ...(canLayOut && json === undefined && markdownSign.test(text) ? ['Markdown'] : []),
    ...(json === undefined ? [] : ['Tree']),
  ]
  // Of another row the same way, where that has it.
  const shown = modes.includes(mode) ? mode : 'Text'
  return (
    <>
      {modes.length > 1 && (
        <SegmentedControl
          size="xs"
          mb={4}
          aria-label="How to show it"
          data={modes}
          value={shown}
          onChange={setMode}
        />
      )}
      {shown === 'Text' && <div className={classes['text']}>{text}</div>}
      {shown === 'Markdown' && <LaidOut text={text} />}
      {shown === 'Tree' && <JsonTree value={json} />}
      {isCut && (
        <Text size="xs" c="dimmed" mt={4}>
          The cell is longer. These are its first {formatExact(text.length)} characters; the Parquet file has
          it in full.
        </Text>
      )}
      {!isCut && text.length > 500 && (
        <Text size="xs" c="dimmed" mt={4}>
          {formatExact(text.length)} characters
        </Text>
      )}
    </>
  )
}

/** An object or a list written as JSON; `undefined` for any other text. */
function jsonOf(text: string): unknown {
  if (text.length > maxLaidOut || !/^\s*[[{]/.test(text)) return undefined
  try {
    return parseExact(text)
  } catch {
    // Text that begins like JSON.
    return undefined
  }
}

function LaidOut({ text }: { text: string }) {
  const { repo, address } = useRepo()
  const [base] = useState(() => ({
    folder: '',
    pageOf: (path: string) => pages.blob(repo, repo.default_branch, path),
    bytesOf: (path: string) => fileUrl(address, repo.default_branch, path),
    idPrefix: 'cell-',
  }))
  return (
    <Suspense fallback={<div className={classes['text']}>{text}</div>}>
      <Markdown text={text} base={base} />
    </Suspense>
  )
}
