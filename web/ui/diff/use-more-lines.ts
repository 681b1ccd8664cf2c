import { useQueryClient } from '@tanstack/react-query'
import { useContext, useMemo, useState } from 'react'
import { notifyProblem } from '../../lib/notify.ts'
import { RepoContext } from '../../lib/repo-context.ts'
import type { FileDiff } from '../../lib/types.ts'
import { gapsOf, hiddenOf, type Gap, type Shown } from './gaps.ts'
import type { Hunk } from './marked-lines.ts'
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

interface State {
  hunks: Hunk[]
  shown: readonly Shown[]
}

const none: Shown = { after: 0, before: 0 }

/** The lines around the hunks, from the file at `head`; `undefined` for a diff that has all of them, or none. */
export function useMoreLines(diff: FileDiff, head: string | undefined): MoreLines | undefined {
  const { path, hunks, total_lines: total } = diff
  const address = useContext(RepoContext)?.address
  const cache = useQueryClient()
  const [text, setText] = useState<string[]>()
  const [state, setShown] = useState<State>()
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
    setShown((before) => {
      const former = shownOf(before, hunks)
      return { hunks, shown: gaps.map((_, i) => (i === at ? more(gap, former(i), wish) : former(i))) }
    })
  }
  return { gaps, shown: shownOf(state, hunks), show, text }
}

/** With white space ignored, or not any more, a file has other hunks. */
const shownOf = (state: State | undefined, hunks: Hunk[]) => (gap: number) =>
  (state?.hunks === hunks ? state.shown[gap] : undefined) ?? none

function more(gap: Gap, shown: Shown, wish: Wish): Shown {
  const hidden = hiddenOf(gap, shown)
  const lines = wish === 'all' ? hidden : Math.min(stepLines, hidden)
  return wish === 'before'
    ? { ...shown, before: shown.before + lines }
    : { ...shown, after: shown.after + lines }
}
