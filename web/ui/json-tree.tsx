import { Text } from '@mantine/core'
import { stringifyExact } from '../lib/exact-json.ts'
import classes from './ui.module.css'

/** Members shown of one object or array; the rest is counted. */
const shownMembers = 200

/** A JSON value as a tree of folds. */
export function JsonTree({ value }: { value: unknown }) {
  return (
    <div className={classes['json']}>
      <Node name="" value={value} depth={0} />
    </div>
  )
}

function Node({ name, value, depth }: { name: string; value: unknown; depth: number }) {
  const label = name && (
    <Text span inherit c="var(--mantine-color-anchor)">
      {name}:{' '}
    </Text>
  )
  if (typeof value !== 'object' || value === null)
    return (
      <div>
        {label}
        {stringifyExact(value)}
      </div>
    )
  const entries = Object.entries(value)
  const size = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`
  return (
    <details open={depth < 2 && entries.length <= 50}>
      <summary>
        {label}
        <Text span inherit c="dimmed">
          {size}
        </Text>
      </summary>
      <div>
        {entries.slice(0, shownMembers).map(([key, member]) => (
          <Node key={key} name={key} value={member} depth={depth + 1} />
        ))}
        {entries.length > shownMembers && <Text c="dimmed">and {entries.length - shownMembers} more</Text>}
      </div>
    </details>
  )
}
