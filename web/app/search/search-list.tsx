import {
  IconArrowRight,
  IconBuilding,
  IconCards,
  IconCube,
  IconDatabase,
  IconSearch,
  IconUser,
} from '@tabler/icons-react'
import { useEffect, useEffectEvent, useImperativeHandle, useMemo, useState, type Ref } from 'react'
import { Link, useNavigate } from 'react-router'
import { listsFor, recentGroup, useActions, useFound, type EntryKind } from './entries.ts'
import classes from './search.module.css'

type SearchKey = 'ArrowDown' | 'ArrowUp' | 'Enter'

/** What a field passes to its list. */
export interface SearchListHandle {
  press: (key: SearchKey) => void
}

interface SearchListProps {
  id: string
  text: string
  /** Whether pages and actions are offered besides what is found. */
  withActions?: boolean
  /** Enter was pressed before the list was there. */
  isEntered?: boolean
  handle: Ref<SearchListHandle>
  /** The id of the entry that Enter opens, for `aria-activedescendant`. */
  onActive: (id: string | undefined) => void
  onPick: () => void
}

const icons = {
  model: IconCube,
  dataset: IconDatabase,
  person: IconUser,
  organisation: IconBuilding,
  collection: IconCards,
  page: IconArrowRight,
  all: IconSearch,
} satisfies Record<EntryKind, typeof IconCube>

/** What a search finds, in groups. The arrow keys move through it, Enter opens the marked entry, at first the first. */
export default function SearchList(props: SearchListProps) {
  const { id, text, withActions = false, isEntered = false, handle, onActive, onPick } = props
  const { groups: found, isCurrent } = useFound(text)
  const actions = useActions(text)
  const recent = useMemo(() => recentGroup(text), [text])
  const groups = [recent, ...found, ...(withActions ? [actions] : []), listsFor(text.trim())].filter(
    ({ entries }) => entries.length > 0,
  )
  const all = groups.flatMap(({ entries }) => entries)
  const [marked, setMarked] = useState({ text, at: 0 })
  const at = marked.text === text ? Math.min(marked.at, Math.max(0, all.length - 1)) : 0
  const [enteredText, setEnteredText] = useState(isEntered ? text : undefined)
  const navigate = useNavigate()
  const first = all[at]
  const open = useEffectEvent(() => {
    if (!first) return
    onPick()
    void navigate(first.to)
  })
  const press = useEffectEvent((key: SearchKey) => {
    if (key === 'Enter') {
      if (isCurrent || at > 0) open()
      else setEnteredText(text)
      return
    }
    const step = key === 'ArrowDown' ? 1 : -1
    setMarked({ text, at: (at + step + all.length) % Math.max(1, all.length) })
  })
  useImperativeHandle(handle, () => ({ press: (key) => press(key) }), [])
  useEffect(() => {
    if (isCurrent && enteredText === text && text.trim() !== '') open()
  }, [isCurrent, enteredText, text])
  const optionId = (index: number) => `${id}-${index}`
  const activeId = first && optionId(at)
  useEffect(() => onActive(activeId), [activeId, onActive])
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])
  let index = -1
  return (
    <div id={id} role="listbox" aria-label="Search results" className={classes['list']}>
      {groups.map(({ label, entries }) => (
        <div key={label} role="group" aria-label={label}>
          <div className={classes['group']} aria-hidden>
            {label}
          </div>
          {entries.map((entry) => {
            const here = ++index
            const Icon = icons[entry.kind]
            return (
              <Link
                key={`${entry.kind} ${entry.to}`}
                id={optionId(here)}
                role="option"
                aria-selected={here === at}
                tabIndex={-1}
                to={entry.to}
                className={classes['option']}
                onPointerMove={() => here !== at && setMarked({ text, at: here })}
                onClick={onPick}
              >
                <Icon size={16} aria-hidden />
                <span className={classes['label']}>{entry.label}</span>
                {entry.note && <span className={classes['note']}>{entry.note}</span>}
              </Link>
            )
          })}
        </div>
      ))}
      {all.length === 0 && (
        <div role="option" aria-selected={false} className={classes['none']}>
          Type a name to find models, datasets, people, organisations and collections.
        </div>
      )}
    </div>
  )
}
