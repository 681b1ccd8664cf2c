import { VisuallyHidden } from '@mantine/core'
import { useLayoutEffect, useRef, useState } from 'react'
import { notifyProblem } from '../../lib/notify.ts'
import { useDrag } from '../../lib/use-drag.ts'
import type { Collection } from '../../lib/types.ts'
import { MovingRows } from '../../ui/moving-rows.tsx'
import frame from '../../ui/ui.module.css'
import classes from './collections.module.css'
import { ItemRow } from './item-row.tsx'
import { useMoveItem, type CollectionAddress } from './queries.ts'
import { nameOf } from './words.ts'

interface ItemListProps {
  collection: Collection
  at: CollectionAddress
  mayEdit: boolean
}

/** The items in their order, which is changed by dragging a row or by the buttons on it. */
export function ItemList({ collection: { items }, at, mayEdit }: ItemListProps) {
  const { move, said, hold } = useOrder(items, at)
  const { list, drag, gripOf } = useDrag(move)
  const editingOf = (id: string, place: number) => ({
    isFirst: place === 0,
    isLast: place === items.length - 1,
    onMove: (by: number, button: HTMLElement) => {
      hold(button)
      move(id, place + by)
    },
    grip: gripOf(id, place),
  })
  return (
    <>
      <MovingRows
        as="ol"
        list={list}
        className={`${frame['frame']} ${classes['items']}`}
        aria-label="Items of this collection"
      >
        {items.map((item, place) => (
          <li
            key={item.id}
            className={`${frame['frameRow']} ${classes['item']}`}
            data-dragged={drag?.id === item.id || undefined}
            data-over={(drag && drag.id !== item.id && drag.over === place) || undefined}
          >
            <ItemRow item={item} at={at} {...(mayEdit ? { editing: editingOf(item.id, place) } : {})} />
          </li>
        ))}
      </MovingRows>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </>
  )
}

/** Moves an item, says where it went, and keeps the focus on the button that moved it. */
function useOrder(items: Collection['items'], at: CollectionAddress) {
  const { mutate } = useMoveItem(at)
  const [said, setSaid] = useState('')
  const held = useRef<{ button: HTMLElement; order: string }>(null)
  const order = items.map(({ id }) => id).join()
  useLayoutEffect(() => {
    if (!held.current || held.current.order === order) return
    held.current.button.focus()
    held.current = null
  })
  const move = (id: string, place: number) => {
    const item = items.find((each) => each.id === id)
    if (!item || place < 0 || place >= items.length || items[place]?.id === id) return
    setSaid(`${nameOf(item)} is now ${place + 1} of ${items.length}`)
    mutate({ id, position: place }, { onError: notifyProblem })
  }
  const hold = (button: HTMLElement) => {
    held.current = { button, order }
  }
  return { move, said, hold }
}
