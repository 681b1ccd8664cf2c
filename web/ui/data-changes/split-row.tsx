import { Button, Group, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { formatExact } from '../../lib/format.ts'
import { RowTable } from '../row-table.tsx'
import type { SplitChanges } from './queries.ts'

const notes: Record<NonNullable<SplitChanges['note']>, string> = {
  partial: 'The data are too large to be compared row by row here.',
  too_many_rows: 'There are too many rows to compare here.',
  no_common_column: 'No column is on both sides, so rows cannot be compared.',
  key_missing: 'A column of the key is missing, so whole rows were compared.',
  key_not_unique: 'The key has nulls or comes twice, so whole rows were compared.',
}

/** What became of the rows of a split. */
export function SplitRow({ split, keyNames }: { split: SplitChanges; keyNames: string[] }) {
  const { name, status, rows, added, removed, changed, note, problem, samples } = split
  const [isOpen, setOpen] = useState(false)
  return (
    <Stack gap={4} component="section" aria-label={`Split ${name}`}>
      <Group gap="sm">
        <Text size="sm" ff="monospace">
          {name}
        </Text>
        {status !== 'changed' && (
          <Text size="sm" c="dimmed">
            split {status}
          </Text>
        )}
        <Count sign="+" amount={added} word="added" color="safe" />
        <Count sign="−" amount={removed} word="removed" color="danger" />
        <Count sign="±" amount={changed} word="changed" color="pending" />
        {rows && added === undefined && (
          <Text size="sm">
            {formatExact(rows.base)} → {formatExact(rows.head)} rows in the files that differ
          </Text>
        )}
        {samples.length > 0 && (
          <Button size="compact-xs" variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide rows' : 'Show rows'}
          </Button>
        )}
      </Group>
      {note && (
        <Text size="sm" c="dimmed">
          {notes[note]}
        </Text>
      )}
      {problem && <Text size="sm">{problem.message}</Text>}
      {isOpen && <Samples samples={samples} keyNames={keyNames} />}
    </Stack>
  )
}

interface CountProps {
  sign: string
  amount: number | undefined
  word: string
  color: string
}

function Count({ sign, amount, word, color }: CountProps) {
  if (amount === undefined) return null
  return (
    <Text size="sm">
      <Text span inherit c={amount > 0 ? color : 'dimmed'} fw={600}>
        {sign}
        {formatExact(amount)}
      </Text>{' '}
      {word}
    </Text>
  )
}

/** Some of the rows, with the cells that differ. */
function Samples({ samples, keyNames }: { samples: SplitChanges['samples']; keyNames: string[] }) {
  return (
    <RowTable columns={['Row', ...keyNames, 'Cells']}>
      {samples.map(({ change, key, cells }) => (
        <Table.Tr key={`${change} ${JSON.stringify(key)}`}>
          <Table.Td data-label="Row">{change}</Table.Td>
          {key.map((part, i) => (
            <Table.Td
              key={keyNames[i]}
              data-label={keyNames[i]}
              ff="monospace"
              style={{ overflowWrap: 'anywhere' }}
            >
              {part}
            </Table.Td>
          ))}
          <Table.Td data-label={cells.length > 0 ? 'Cells' : undefined}>
            {cells.map((cell) => (
              <Cell key={cell.column} cell={cell} />
            ))}
          </Table.Td>
        </Table.Tr>
      ))}
    </RowTable>
  )
}

function Cell({ cell: { column, base, head } }: { cell: SplitChanges['samples'][number]['cells'][number] }) {
  const shown = (text: string | null) => (text === null ? 'null' : text)
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      <Text span inherit ff="monospace" c="dimmed">
        {column}
      </Text>{' '}
      {base === undefined || head === undefined ? (
        'differs'
      ) : (
        <>
          <del>{shown(base)}</del> → <ins>{shown(head)}</ins>
        </>
      )}
    </Text>
  )
}
