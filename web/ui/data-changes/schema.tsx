import { Group, Text } from '@mantine/core'
import type { NamedFeature } from '../../../shared/viewer.ts'
import { typeName } from '../grid/feature-types.ts'
import type { ConfigChanges } from './queries.ts'

const textOf = (type: unknown) => typeName(type as NamedFeature['type'])

/** The columns that came, went or have another type. */
export function Schema({ schema: { added, removed, changed } }: { schema: ConfigChanges['schema'] }) {
  if (added.length + removed.length + changed.length === 0) return null
  return (
    <Group gap="md" component="ul" m={0} p={0} aria-label="Changed columns" style={{ listStyle: 'none' }}>
      {added.map(({ name, type }) => (
        <Column key={name} sign="+" word="added" color="safe" name={name} type={textOf(type)} />
      ))}
      {removed.map(({ name, type }) => (
        <Column key={name} sign="−" word="removed" color="danger" name={name} type={textOf(type)} />
      ))}
      {changed.map(({ name, base, head }) => (
        <Column
          key={name}
          sign="±"
          word="changed"
          color="pending"
          name={name}
          type={`${textOf(base)} → ${textOf(head)}`}
        />
      ))}
    </Group>
  )
}

interface ColumnProps {
  sign: string
  word: string
  color: string
  name: string
  type: string
}

function Column({ sign, word, color, name, type }: ColumnProps) {
  return (
    <Text component="li" size="sm" style={{ overflowWrap: 'anywhere' }}>
      <Text span inherit c={color} fw={600} aria-label={`column ${word}`} role="img">
        {sign}
      </Text>{' '}
      <Text span inherit ff="monospace">
        {name}
      </Text>{' '}
      <Text span inherit c="dimmed">
        {type}
      </Text>
    </Text>
  )
}
