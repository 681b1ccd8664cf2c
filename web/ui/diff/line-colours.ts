import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react'
import { useColours, type ColouredRun, type Colours } from '../code/highlight.ts'
import type { Hunk, MarkedLine } from './marked-lines.ts'

/** The colours of a stretch of one side's file, and the number of its first line. */
interface Part {
  colours: Colours | undefined
  first: number
}

/** Removed lines have the colours of the old file, all others those of the new one. */
export interface SideColours {
  old: Part
  new: Part
}

const textWithout = ({ lines }: Hunk, kind: 'add' | 'delete') =>
  lines.flatMap((line) => (line.kind === kind ? [] : [line.text])).join('\n')

/** The colours of both sides of a hunk; its lines are coloured as if the file began with them. */
export function useHunkColours(hunk: Hunk, language: string | undefined): SideColours {
  const [before, after] = useMemo(() => [textWithout(hunk, 'add'), textWithout(hunk, 'delete')], [hunk])
  const old = useColours(before, language)
  const now = useColours(after, language)
  return useMemo(
    () => ({
      old: { colours: old, first: hunk.old_start },
      new: { colours: now, first: hunk.new_start },
    }),
    [old, now, hunk],
  )
}

const place = ({ kind, before, after }: MarkedLine, { old, new: now }: SideColours) => {
  const part = kind === 'delete' ? old : now
  return { colours: part.colours, at: ((kind === 'delete' ? before : after) ?? 0) - part.first }
}

/** What gives the colours of these lines once all are there; they are asked for while the lines are in sight. */
export function useLineColours(lines: MarkedLine[], sides: SideColours, isNear: boolean) {
  const wants = useMemo(() => {
    const ranges = new Map<Colours, { from: number; upTo: number }>()
    for (const line of lines) {
      const { colours, at } = place(line, sides)
      const range = colours && ranges.get(colours)
      if (range) range.upTo = at + 1
      else if (colours) ranges.set(colours, { from: at, upTo: at + 1 })
    }
    return [...ranges]
  }, [lines, sides])
  useEffect(() => {
    if (isNear) for (const [colours, { from, upTo }] of wants) colours.want(from, upTo)
  }, [isNear, wants])
  const subscribe = useCallback(
    (listener: () => void) => {
      const ends = wants.map(([colours]) => colours.subscribe(listener))
      return () => {
        for (const end of ends) end()
      }
    },
    [wants],
  )
  const areThere = useSyncExternalStore(
    subscribe,
    () => wants.length > 0 && wants.every(([colours, { upTo }]) => colours.lines[upTo - 1] !== undefined),
  )
  return useCallback(
    (line: MarkedLine): ColouredRun[] | undefined => {
      const { colours, at } = place(line, sides)
      return areThere ? colours?.lines[at] : undefined
    },
    [areThere, sides],
  )
}
