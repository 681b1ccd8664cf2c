import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { limits } from '../../../../shared/vocabulary.ts'
import { keptUnder, othersOldestFirst, type Kept } from '../../../lib/kept-by-key.ts'
import type { WantedPlace } from '../queries.ts'

/** A comment on lines that is sent with the review; its `place` has the head that it was written on. */
export interface PendingComment {
  id: string
  place: WantedPlace
  body: string
}

/** A review as it is written, in this browser alone. */
interface Pending {
  comments: PendingComment[]
  text: string
}

const prefix = 'pending-review:'
/** Of more pull requests the review goes that was not changed for longest. */
const maxPulls = 50
const none: Pending = { comments: [], text: '' }

export const readPending = (storage: Storage, of: string): Pending => {
  const { comments, text } = keptUnder(storage, prefix + of, none)
  return Array.isArray(comments) && typeof text === 'string' ? { comments, text } : none
}

export function writePending(storage: Storage, of: string, pending: Pending, at: number): void {
  const key = prefix + of
  if (pending.comments.length === 0 && pending.text === '') return storage.removeItem(key)
  const others = othersOldestFirst(storage, prefix, key)
  for (const name of others.slice(0, Math.max(0, others.length + 1 - maxPulls))) storage.removeItem(name)
  storage.setItem(key, JSON.stringify({ at, ...pending } satisfies Kept<Pending>))
}

/** What components show; without storage it holds until the page is left. */
const shown = new Map<string, { pending: Pending; isKept: boolean }>()
const listeners = new Set<() => void>()

function read(of: string) {
  const known = shown.get(of)
  if (known) return known
  let pending = none
  try {
    pending = readPending(localStorage, of)
  } catch {
    // Nothing was kept.
  }
  const found = { pending, isKept: true }
  shown.set(of, found)
  return found
}

function write(of: string, pending: Pending): void {
  let isKept = true
  try {
    writePending(localStorage, of, pending, Date.now())
  } catch {
    isKept = pending.comments.length === 0 && pending.text === ''
  }
  shown.set(of, { pending, isKept })
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  // Another tab has changed it.
  const onStorage = ({ key }: StorageEvent) => {
    if (key !== null && !key.startsWith(prefix)) return
    shown.clear()
    listener()
  }
  listeners.add(listener)
  window.addEventListener('storage', onStorage)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', onStorage)
  }
}

export interface PendingReview extends Pending {
  /** Whether the browser keeps it. */
  isKept: boolean
  /** Whether it may hold another comment. */
  hasRoom: boolean
  add: (comment: Omit<PendingComment, 'id'>) => void
  change: (id: string, change: Partial<PendingComment>) => void
  remove: (id: string) => void
  setText: (text: string) => void
  /** Takes away what was sent; what was written meanwhile stays. */
  clear: (sent: Pending) => void
}

/** The review of a pull request that a person is writing, by a name that both make up. */
export function usePendingReview(of: string): PendingReview {
  const { pending, isKept } = useSyncExternalStore(
    subscribe,
    useCallback(() => read(of), [of]),
  )
  return useMemo(() => {
    const update = (make: (now: Pending) => Pending) => write(of, make(read(of).pending))
    const setComments = (make: (now: PendingComment[]) => PendingComment[]) =>
      update((now) => ({ ...now, comments: make(now.comments) }))
    return {
      ...pending,
      isKept,
      hasRoom: pending.comments.length < limits.reviewComments,
      add: (comment) => setComments((now) => [...now, { ...comment, id: `${Date.now()}-${now.length}` }]),
      change: (id, change) =>
        setComments((now) => now.map((each) => (each.id === id ? { ...each, ...change } : each))),
      remove: (id) => setComments((now) => now.filter((each) => each.id !== id)),
      setText: (text) => update((now) => ({ ...now, text })),
      clear: (sent) =>
        update((now) => ({
          comments: now.comments.filter(({ id }) => !sent.comments.some((each) => each.id === id)),
          text: now.text === sent.text ? '' : now.text,
        })),
    }
  }, [of, pending, isKept])
}
