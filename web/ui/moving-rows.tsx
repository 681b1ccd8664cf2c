import {
  Children,
  Component,
  isValidElement,
  type ComponentPropsWithoutRef,
  type ElementType,
  type ReactNode,
  type RefObject,
} from 'react'

const timing: KeyframeAnimationOptions = { duration: 160, easing: 'ease-out' }
const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches

const keysOf = (rows: ReactNode) =>
  Children.toArray(rows)
    .map((row) => isValidElement(row) && row.key)
    .join()

type MovingRowsProps = ComponentPropsWithoutRef<'ol'> & {
  as: ElementType
  list?: RefObject<HTMLOListElement | null>
}

/**
 * A list whose rows, which have keys, slide to where they are now, so that people see which one was moved, and what takes the place of one
 * that was removed. A class, since no hook runs while the rows are still where they were.
 */
export class MovingRows extends Component<MovingRowsProps> {
  rows: HTMLElement | null = null

  override getSnapshotBeforeUpdate({ children }: MovingRowsProps) {
    if (!this.rows || isStill() || keysOf(children) === keysOf(this.props.children)) return null
    return new Map([...this.rows.children].map((row) => [row, row.getBoundingClientRect().top]))
  }

  override componentDidUpdate(_: MovingRowsProps, __: object, before: Map<Element, number> | null) {
    if (!before) return
    const moved = [...(this.rows?.children ?? [])].flatMap((row) => {
      const { top, bottom } = row.getBoundingClientRect()
      const by = (before.get(row) ?? top) - top
      // Of long lists what is in sight.
      const isInSight = Math.min(top, top + by) < innerHeight && Math.max(bottom, bottom + by) > 0
      return by !== 0 && isInSight ? [{ row, by }] : []
    })
    for (const { row, by } of moved) row.animate([{ translate: `0 ${by}px` }, { translate: '0 0' }], timing)
  }

  override render() {
    const { as: Rows, list, ...rest } = this.props
    const hold = (rows: HTMLOListElement | null) => {
      this.rows = rows
      if (list) list.current = rows
    }
    return <Rows {...rest} ref={hold} />
  }
}
