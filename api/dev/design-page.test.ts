import { expect, it } from 'vitest'
import { sourcesBelow } from './imports.ts'

/** Components that are not on the page of components by themselves: which component of the page draws them. */
const drawnBy: Record<string, string> = {
  AsWritten: 'Markdown',
  Formula: 'Markdown',
  Drawing: 'Picture',
  Laid: 'Markdown',
  UnlessItFails: 'Markdown',
  Cell: 'Grid',
  GridRow: 'Grid',
  HeadCell: 'Grid',
  CommandTabs: 'Commands',
  DeedCommands: 'Commands',
  FileChange: 'Changes',
  FileTree: 'Changes',
  WhiteSpace: 'Changes',
  GapRows: 'DiffView',
  HunkHead: 'DiffView',
  HunkRows: 'DiffView',
  Hunks: 'DiffView',
  Rows: 'DiffView',
  Runs: 'CodeView',
  Dialog: 'ConfirmName',
  DraftChoice: 'CommitTarget',
  PageTitle: 'PageFrame',
}
/** What is no component: it draws nothing of its own. */
const isOther = new Set(['Colours', 'DiffLook', 'IgnoresWhiteSpace', 'Review'])

const files = sourcesBelow('.', ['web/ui', 'web/features/design'])
const namesIn = (folder: string, pattern: RegExp) =>
  new Set(
    [...files]
      .filter(([file]) => file.startsWith(folder) && file.endsWith('.tsx'))
      .flatMap(([, text]) => [...text.matchAll(pattern)].map((found) => found[1] ?? '')),
  )

it('shows every component of web/ui on the page of components', () => {
  const exported = namesIn('web/ui/', /^export (?:default )?(?:function|const|class) ([A-Z]\w*)/gm)
  const shown = namesIn('web/features/design/', /<([A-Z]\w*)/g)
  expect(exported.size).toBeGreaterThan(60)
  const isShown = (name: string) => shown.has(name) || shown.has(drawnBy[name] ?? '')
  expect([...exported].filter((name) => !isShown(name) && !isOther.has(name))).toEqual([])
  // What is drawn by the page itself, or is gone, is no exception.
  expect(Object.keys(drawnBy).filter((name) => shown.has(name) || !exported.has(name))).toEqual([])
})
