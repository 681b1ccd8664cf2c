import { useQueryClient } from '@tanstack/react-query'
import { useContext, useMemo, useState } from 'react'
import { notifyProblem } from '../../lib/notify.ts'
import { RepoContext } from '../../lib/repo-context.ts'
import type { FileDiff } from '../../lib/types.ts'
import { gapsOf, hiddenOf, type Gap, type Shown } from './gaps.ts'
import { linesQuery } from './queries.ts'

/** Lines that come by one press. */
export const stepLines = 20

/** Which lines of a gap are to be shown. */
export type Wish = 'after' | 'before' | 'all'

/** Lines that a diff leaves out, and how they come. */
export interface MoreLines {
  gaps: Gap[]
  shown: (gap: number) => Shown
  show: (gap: number, wish: Wish) => Promise<void>
  /** The new file's, once some of them are shown. */
  text: string[] | undefined
}

const none: Shown = { after: 0, before: 0 }

/** The lines around the hunks, from the file at `head`; `undefined` for a diff that has all of them, or none. */
export function useMoreLines(diff: FileDiff, head: string | undefined): MoreLines | undefined {
  const { path, hunks, total_lines: total } = diff
  const address = useContext(RepoContext)?.address
  const cache = useQueryClient()
  const [text, setText] = useState<string[]>()
  const [shown, setShown] = useState<readonly Shown[]>([])
  const gaps = useMemo(() => (total === undefined ? undefined : gapsOf(hunks, total)), [hunks, total])
  if (!gaps || !address || head === undefined) return undefined
  const show = async (at: number, wish: Wish) => {
    const gap = gaps[at]
    if (!gap) return
    try {
      setText(await cache.fetchQuery(linesQuery(address, head, path)))
    } catch (error) {
      notifyProblem(error)
      return
    }
    setShown((before) =>
      gaps.map((_, i) => (i === at ? more(gap, before[i] ?? none, wish) : (before[i] ?? none))),
    )
  }
  return { gaps, shown: (gap) => shown[gap] ?? none, show, text }
}

function more(gap: Gap, shown: Shown, wish: Wish): Shown {
  const hidden = hiddenOf(gap, shown)
  const lines = wish === 'all' ? hidden : Math.min(stepLines, hidden)
  return wish === 'before'
    ? { ...shown, before: shown.before + lines }
    : { ...shown, after: shown.after + lines }
}
