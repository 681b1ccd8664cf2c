import type { NamedFeature } from '../../../shared/viewer.ts'
import type { Picked } from '../../ui/grid/chart.tsx'
import { kindOf } from '../../ui/grid/feature-types.ts'
import type { GridColumn } from '../../ui/grid/use-columns.ts'
import type { Condition } from './where.ts'

/** What a press on a column's chart asks for, as conditions. */
export function conditionsOf({ name, type }: NamedFeature, picked: Picked): Condition[] {
  const column = [name]
  if ('isNull' in picked) return [{ column, operator: 'IS NULL', value: '' }]
  if ('value' in picked) {
    if (kindOf(type) !== 'bool') return [{ column, operator: '=', value: picked.value }]
    const isTrue = picked.value.toLowerCase() === 'true'
    return [{ column, operator: isTrue ? 'IS TRUE' : 'IS FALSE', value: '' }]
  }
  const { from, to, isLast, isLength } = picked
  const length = isLength ? { isLength } : {}
  // Bins are closed on the left; the last is closed on the right as well.
  return [
    { column, ...length, operator: '>=', value: String(from) },
    { column, ...length, operator: isLast ? '<=' : '<', value: String(to) },
  ]
}

/** Whether the server orders rows by a column: by plain values alone. */
export const isSortable = ({ kind }: GridColumn): boolean =>
  kind === 'number' || kind === 'text' || kind === 'bool' || kind === 'time' || kind === 'label'

/** Whether conditions on the column's chart can be asked for: the width of an image cannot. */
export const isPickable = (column: NamedFeature): boolean =>
  !['image', 'audio', 'video', 'pdf', 'bytes', 'object'].includes(kindOf(column.type))
