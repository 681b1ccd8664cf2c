import { Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { fileUrl } from '../../../../shared/transfer.ts'
import { pages } from '../../../lib/pages.ts'
import { useRepo } from '../../../lib/repo-context.ts'
import { CodeBlock } from '../../../ui/code/code-block.tsx'
import Markdown from '../../../ui/markdown/markdown.tsx'
import { readNotebook, type Cell, type Output } from './notebook-cells.ts'
import classes from './notebook.module.css'

/** More would hold the page up; the rest is in the file. */
const maxCells = 300

interface NotebookProps {
  text: string
  rev: string
  path: string
}

/** A notebook as people read it: texts, code and what it printed. Nothing in it runs, and its HTML is left out. */
export default function Notebook({ text, rev, path }: NotebookProps) {
  const notebook = useMemo(() => readNotebook(text), [text])
  if (!notebook)
    return (
      <Text c="dimmed" p="md">
        This is no notebook of format 4. Choose Code to read it as text.
      </Text>
    )
  return (
    <div className={classes['notebook']}>
      {notebook.cells.slice(0, maxCells).map((cell, i) => (
        <CellView key={i} cell={cell} index={i} language={notebook.language} rev={rev} path={path} />
      ))}
      {notebook.cells.length > maxCells && (
        <Text size="sm" c="dimmed">
          The first {maxCells} of {notebook.cells.length} cells are shown. Download the file for the rest.
        </Text>
      )}
    </div>
  )
}

interface CellViewProps {
  cell: Cell
  index: number
  language: string
  rev: string
  path: string
}

function CellView({ cell, index, language, rev, path }: CellViewProps) {
  const { address } = useRepo()
  const [base] = useState(() => ({
    folder: path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '',
    idPrefix: `cell-${index}-`,
    pageOf: (target: string) => pages.blob(address, rev, target),
    bytesOf: (target: string) => fileUrl(address, rev, target),
  }))
  return (
    <div className={classes['cell']}>
      <div className={classes['count']}>{cell.count !== undefined && `[${cell.count}]`}</div>
      <div>
        {cell.kind === 'markdown' && <Markdown text={cell.source} base={base} />}
        {cell.kind !== 'markdown' && cell.source && (
          <CodeBlock text={cell.source} language={cell.kind === 'code' ? language : undefined} />
        )}
        {cell.outputs.map((output, i) => (
          <OutputView key={i} output={output} />
        ))}
      </div>
    </div>
  )
}

function OutputView({ output }: { output: Output }) {
  if (output.kind === 'image') return <img src={output.url} alt="Output of the cell" />
  if (output.kind === 'left-out')
    return (
      <Text size="xs" c="dimmed">
        Output in {output.formats || 'an unknown format'} is not shown: it could run in this page.
      </Text>
    )
  return (
    <pre
      className={classes['output']}
      data-error={output.isError || undefined}
      tabIndex={0}
      aria-label="Output"
    >
      {output.text}
    </pre>
  )
}
