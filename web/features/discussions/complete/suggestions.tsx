import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../../lib/api.ts'
import { useRepo } from '../../../lib/repo-context.ts'
import { keyOf } from '../../../lib/repo-queries.ts'
import type { RepoAddress } from '../../../lib/types.ts'
import classes from '../discussions.module.css'
import type { Begun } from './begun.ts'

/** Handles a key of the field; answers whether it did. */
export type KeyTaker = (key: string) => boolean

interface SuggestionsProps {
  id: string
  begun: Begun
  /** Says whom the field asks what to do with a key. */
  onKeys: (taker: KeyTaker | undefined) => void
  /** Says which option is at hand, for `aria-activedescendant`. */
  onActive: (id: string | undefined) => void
  onChoose: (reference: string) => void
  onClose: () => void
}

interface Suggestion {
  reference: string
  note?: string | undefined
}

const shownAtOnce = 6

/** What a reference that is being typed may become. */
export default function Suggestions({ id, begun, onKeys, onActive, onChoose, onClose }: SuggestionsProps) {
  const { address } = useRepo()
  const { kind, word } = begun
  const { data = [], isPlaceholderData } = useQuery({
    queryKey: [...keyOf(address), 'suggestions', kind, word],
    queryFn: ({ signal }) => suggest(address, begun, signal),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
  // Those of the letters before stand until the answer comes, but for what no longer fits: Tab must not choose that.
  const found = isPlaceholderData ? data.filter((suggestion) => fits(suggestion, word)) : data
  const [active, setActive] = useState(0)
  const at = Math.min(active, found.length - 1)
  useEffect(() => {
    onActive(at < 0 ? undefined : `${id}-${at}`)
    return () => onActive(undefined)
  }, [at, id, onActive])
  useEffect(() => {
    onKeys((key) => {
      const chosen = found[at]
      if (key === 'Escape') onClose()
      else if (!chosen) return false
      else if (key === 'ArrowDown') setActive((at + 1) % found.length)
      else if (key === 'ArrowUp') setActive((at + found.length - 1) % found.length)
      else if (key === 'Enter' || key === 'Tab') onChoose(chosen.reference)
      else return false
      return true
    })
    return () => onKeys(undefined)
  })
  if (found.length === 0) return null
  return (
    <div id={id} className={classes['suggestions']} role="listbox" aria-label="Suggestions">
      {found.map(({ reference, note }, i) => (
        <button
          key={reference}
          id={`${id}-${i}`}
          type="button"
          role="option"
          tabIndex={-1}
          aria-selected={i === at}
          // A press must not take the focus from the field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(reference)}
        >
          {reference}
          {note && <small>{note}</small>}
        </button>
      ))}
    </div>
  )
}

const fits = ({ reference, note = '' }: Suggestion, word: string) =>
  `${reference} ${note}`.toLowerCase().includes(word.trim().toLowerCase())

async function suggest(
  address: RepoAddress,
  { kind, word }: Begun,
  signal: AbortSignal,
): Promise<Suggestion[]> {
  if (kind === 'discussion') {
    const query = { limit: shownAtOnce, ...(word.trim() && { q: word.trim() }) }
    const { items } = await api.listDiscussions({ params: address, query }, { signal })
    return items.map(({ num, title }) => ({ reference: `#${num}`, note: title }))
  }
  const q = kind === 'repo' ? word.replace(/^\w+\//, '') : word
  if (!q) return []
  const all = kind === 'repo' ? await suggestRepos(word, q, signal) : await suggestNames(q, signal)
  return all.slice(0, shownAtOnce)
}

async function suggestRepos(word: string, q: string, signal: AbortSignal): Promise<Suggestion[]> {
  const { repos } = await api.search({ query: { q, types: 'repos', limit: 20 } }, { signal })
  return repos
    .filter(({ type }) => word.startsWith(`${type}s/`))
    .map(({ type, ns, name, description }) => ({ reference: `${type}s/${ns}/${name}`, note: description }))
}

async function suggestNames(q: string, signal: AbortSignal): Promise<Suggestion[]> {
  const people = await suggestPeople(q, signal)
  return people.map(({ ns, display_name: note }) => ({ reference: `@${ns}`, note }))
}

/** People and organisations whose names a text may begin. */
export async function suggestPeople(q: string, signal: AbortSignal) {
  const { namespaces } = await api.search({ query: { q, types: 'namespaces', limit: 20 } }, { signal })
  return namespaces
}
