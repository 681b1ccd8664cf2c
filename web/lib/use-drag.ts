import { useRef, useState, type PointerEvent } from 'react'

/** What makes an element the handle of a row. */
export interface GripProps {
  onPointerDown: (event: PointerEvent<HTMLElement>) => void
  onPointerMove: (event: PointerEvent<HTMLElement>) => void
  onPointerUp: (event: PointerEvent<HTMLElement>) => void
  onPointerCancel: () => void
}

/**
 * Rows of a list that are dragged by a handle, with mouse, pen or finger. `over` is the place the dragged row would go to.
 * Those who cannot drag need another way.
 */
export function useDrag(onDrop: (id: string, place: number) => void) {
  const list = useRef<HTMLOListElement>(null)
  const [drag, setDrag] = useState<{ id: string; over: number }>()
  const placeAt = (y: number) => {
    const rows = [...(list.current?.children ?? [])]
    const found = rows.findIndex((row) => y < row.getBoundingClientRect().bottom)
    return found < 0 ? rows.length - 1 : found
  }
  const gripOf = (id: string, place: number): GripProps => ({
    onPointerDown: (event) => {
      event.preventDefault()
      event.currentTarget.setPointerCapture(event.pointerId)
      setDrag({ id, over: place })
    },
    onPointerMove: (event) => {
      if (drag?.id === id) setDrag({ id, over: placeAt(event.clientY) })
    },
    // Not `drag.over`: on a busy machine a row is released before its last moves are drawn.
    onPointerUp: (event) => {
      if (drag?.id === id) onDrop(id, placeAt(event.clientY))
      setDrag(undefined)
    },
    onPointerCancel: () => setDrag(undefined),
  })
  return { list, drag, gripOf }
}
