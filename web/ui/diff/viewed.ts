import { useCallback, useMemo, useRef, useState } from 'react'
import { keptUnder, othersOldestFirst, type Kept } from '../../lib/kept-by-key.ts'
import type { ChangedFile } from '../../lib/types.ts'

/** Path → the contents that were viewed there. */
type Marks = Record<string, string>

const prefix = 'viewed:'
/** Of more pull requests the oldest marks go. */
const maxPulls = 200

/** What a file was and becomes: another content is another file to view. */
const contentsOf = ({ old_oid = '', new_oid = '' }: ChangedFile) =>
  `${old_oid.slice(0, 12)}..${new_oid.slice(0, 12)}`

/** Which files of a pull request, named by its repo and number, were viewed. */
export const readViewed = (storage: Storage, pull: string): Marks =>
  keptUnder<{ marks: Marks }>(storage, prefix + pull, { marks: {} }).marks

export function writeViewed(storage: Storage, pull: string, marks: Marks, at: number): void {
  const key = prefix + pull
  if (Object.keys(marks).length === 0) return storage.removeItem(key)
  const oldestFirst = othersOldestFirst(storage, prefix, key)
  const drop = (count: number) => {
    for (const name of oldestFirst.splice(0, count)) storage.removeItem(name)
  }
  drop(oldestFirst.length + 1 - maxPulls)
  for (;;)
    try {
      return storage.setItem(key, JSON.stringify({ at, marks } satisfies Kept<{ marks: Marks }>))
    } catch (error) {
      // The browser's share is used up.
      if (oldestFirst.length === 0) throw error
      drop(1)
    }
}

/** The marks of those files that are still what was viewed. */
export function marksOf(marks: Marks, files: ChangedFile[]): Marks {
  const valid = files.filter(
    (file) => Object.hasOwn(marks, file.path) && marks[file.path] === contentsOf(file),
  )
  return Object.fromEntries(valid.map((file) => [file.path, contentsOf(file)]))
}

export interface Viewed {
  paths: ReadonlySet<string>
  mark: (file: ChangedFile, isViewed: boolean) => void
}

/** Without storage the marks hold until the page is left. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}

const stored = (pull: string) => attempt(() => readViewed(localStorage, pull)) ?? {}

/** Which of these files were viewed in this browser; without a pull request none can be. */
export function useViewed(pull: string | undefined, files: ChangedFile[]): Viewed | undefined {
  const [marks, setMarks] = useState(() => (pull === undefined ? {} : stored(pull)))
  const latest = useRef(marks)
  const paths = useMemo(() => new Set(Object.keys(marksOf(marks, files))), [marks, files])
  const mark = useCallback(
    (file: ChangedFile, isViewed: boolean) => {
      if (pull === undefined) return
      // Another tab may have marked some meanwhile.
      const next = marksOf({ ...stored(pull), ...latest.current }, files)
      if (isViewed) next[file.path] = contentsOf(file)
      else delete next[file.path]
      latest.current = next
      setMarks(next)
      attempt(() => writeViewed(localStorage, pull, next, Date.now()))
    },
    [pull, files],
  )
  return useMemo(() => (pull === undefined ? undefined : { paths, mark }), [pull, paths, mark])
}
