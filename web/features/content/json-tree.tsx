import { Text } from '@mantine/core'
import { useMemo } from 'react'
import { parseExact } from '../../lib/exact-json.ts'
import { JsonTree as Tree } from '../../ui/json-tree.tsx'

/** A JSON file as a tree of folds; what is no JSON is said to be none. */
export function JsonTree({ text }: { text: string }) {
  const parsed = useMemo(() => parse(text), [text])
  if ('fault' in parsed)
    return (
      <Text c="dimmed" p="sm">
        This is no valid JSON: {parsed.fault}
      </Text>
    )
  return <Tree value={parsed.value} />
}

function parse(text: string): { value: unknown } | { fault: string } {
  try {
    return { value: parseExact(text) }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) }
  }
}
