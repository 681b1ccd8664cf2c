import { Text } from '@mantine/core'
import { useMemo } from 'react'
import classes from './content.module.css'

/** Members shown of one object or array; the rest is counted. */
const shownMembers = 200

/** JSON as a tree of folds; what is no JSON is said to be none. */
export function JsonTree({ text }: { text: string }) {
  const parsed = useMemo(() => parse(text), [text])
  return (
    <div className={classes['json']}>
      {'fault' in parsed ? (
        <Text c="dimmed">This is no valid JSON: {parsed.fault}</Text>
      ) : (
        <Node name="" value={parsed.value} depth={0} />
      )}
    </div>
  )
}

function parse(text: string): { value: unknown } | { fault: string } {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) }
  }
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
        {JSON.stringify(value)}
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
