import { Button, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { formatExact } from '../../../lib/format.ts'
import { RowTable } from '../../../ui/row-table.tsx'
import type { FileHeader } from './queries.ts'

type Keys = FileHeader['header']['keys']

/** Keys that are shown at first. */
const few = 100
/** Characters of a text that are shown at first. */
const shortText = 300

/** The keys of a header and their values. */
export function HeaderKeys({ keys, search }: { keys: Keys; search: string }) {
  const [isAll, setAll] = useState(false)
  const word = search.trim().toLowerCase()
  const found = keys.filter(({ key, value }) => `${key} ${valueText(value)}`.toLowerCase().includes(word))
  const shown = isAll ? found : found.slice(0, few)
  if (found.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No key fits.
      </Text>
    )
  return (
    <div>
      <RowTable columns={[['Key', 320], 'Value']}>
        {shown.map(({ key, value }) => (
          <Table.Tr key={key}>
            <Table.Td ff="monospace" fz="sm" style={{ overflowWrap: 'anywhere' }}>
              {key}
            </Table.Td>
            <Table.Td ff="monospace" fz="sm" style={{ overflowWrap: 'anywhere' }}>
              <Value text={valueText(value)} />
            </Table.Td>
          </Table.Tr>
        ))}
      </RowTable>
      {found.length > shown.length && (
        <Button size="xs" variant="default" mt="xs" onClick={() => setAll(true)}>
          Show all {formatExact(found.length)}
        </Button>
      )}
    </div>
  )
}

function Value({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false)
  if (text.length <= shortText) return text
  return (
    <>
      <span style={{ whiteSpace: 'pre-wrap' }}>{isWhole ? text : `${text.slice(0, shortText)}…`}</span>{' '}
      <Button size="compact-xs" variant="subtle" onClick={() => setWhole(!isWhole)}>
        {isWhole ? 'Show less' : `Show all ${formatExact(text.length)} characters`}
      </Button>
    </>
  )
}

/** A value as text; of an array its length and its first items. */
function valueText(value: Keys[number]['value']): string {
  if (typeof value !== 'object') return String(value)
  const { type, length, first } = value
  const items = first.map((item) => JSON.stringify(item)).join(', ')
  const more = length > first.length ? ', …' : ''
  return `${formatExact(length)} × ${type}: [${items}${more}]`
}
