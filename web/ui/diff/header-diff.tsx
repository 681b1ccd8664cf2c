import { Button, Stack, Table, Text, Title } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { formatExact } from '../../lib/format.ts'
import type { HeaderDiff as Diff } from '../../lib/types.ts'
import { Mark } from '../mark.tsx'
import { RowTable } from '../row-table.tsx'
import { TensorBytes } from './tensor-bytes.tsx'

/** Lines that are shown at first. */
const few = 50

type Tensor = Diff['tensors']['added']['items'][number]
type Value = Diff['keys']['added']['items'][number]['value']

interface Line {
  kind: 'added' | 'removed' | 'changed'
  name: string
  before?: string
  after?: string
}

/** How the tensors and keys of a file differ, by its header, and by bytes where somebody asks for it. */
export function HeaderDiff({ diff }: { diff: Diff }) {
  const { tensors, keys, old, new: now } = diff
  const changes = [tensors.added, tensors.removed, tensors.changed]
  const total = changes.reduce((sum, { count }) => sum + count, 0)
  const keyTotal = keys.added.count + keys.removed.count + keys.changed.count
  return (
    <Stack gap="md" p="sm">
      <Text size="sm">{summaryOf(diff)}</Text>
      {diff.truncated && (
        <Text size="sm" c="dimmed">
          The header has more tensors than are compared here.
        </Text>
      )}
      {total > 0 && <Lines title="Tensors" lines={tensorLines(tensors)} total={total} />}
      {keyTotal > 0 && <Lines title="Keys" lines={keyLines(keys)} total={keyTotal} />}
      {old && now && tensors.alike > 0 && <TensorBytes sides={{ old, new: now }} alike={tensors.alike} />}
    </Stack>
  )
}

function summaryOf({ tensors, old, new: now }: Diff): string {
  const { added, removed, changed, alike } = tensors
  if (!old) return `A new file with ${counted(added.count)}.`
  if (!now) return `It had ${counted(removed.count)}.`
  const parts = [
    added.count > 0 && `${formatExact(added.count)} added`,
    removed.count > 0 && `${formatExact(removed.count)} removed`,
    changed.count > 0 && `${formatExact(changed.count)} with another dtype or shape`,
  ].filter(Boolean)
  if (parts.length === 0) return `All ${counted(alike)} keep their dtype and shape.`
  return `Tensors: ${parts.join(', ')}, ${formatExact(alike)} as before.`
}

const counted = (count: number) => `${formatExact(count)} ${count === 1 ? 'tensor' : 'tensors'}`

const tensorText = ({ dtype, shape }: Tensor) =>
  `${dtype} ${shape.length === 0 ? 'scalar' : shape.join(' × ')}`

function tensorLines({ added, removed, changed }: Diff['tensors']): Line[] {
  return [
    ...changed.items.map(({ name, old, new: now }): Line => ({
      kind: 'changed',
      name,
      before: tensorText(old),
      after: tensorText(now),
    })),
    ...removed.items.map((tensor): Line => ({
      kind: 'removed',
      name: tensor.name,
      before: tensorText(tensor),
    })),
    ...added.items.map((tensor): Line => ({ kind: 'added', name: tensor.name, after: tensorText(tensor) })),
  ]
}

function keyLines({ added, removed, changed }: Diff['keys']): Line[] {
  return [
    ...changed.items.map(({ key, old, new: now }): Line => ({
      kind: 'changed',
      name: key,
      before: valueText(old),
      after: valueText(now),
    })),
    ...removed.items.map(({ key, value }): Line => ({
      kind: 'removed',
      name: key,
      before: valueText(value),
    })),
    ...added.items.map(({ key, value }): Line => ({ kind: 'added', name: key, after: valueText(value) })),
  ]
}

const valueText = (value: Value): string =>
  typeof value === 'object' ? `${formatExact(value.length)} × ${value.type}` : String(value)

const colors = { added: 'safe', removed: 'danger', changed: 'pending' }

function Lines({ title, lines, total }: { title: string; lines: Line[]; total: number }) {
  const [isAll, setAll] = useState(false)
  const shown = isAll ? lines : lines.slice(0, few)
  return (
    <section aria-label={`${title} that changed`}>
      <Title order={3}>{title}</Title>
      <RowTable columns={[['Change', 90], 'Name', 'Before', 'After']}>
        {shown.map(({ kind, name, before, after }) => (
          <Table.Tr key={`${kind} ${name}`}>
            <Table.Td>
              <Mark color={colors[kind]}>{kind}</Mark>
            </Table.Td>
            <Cell>{name}</Cell>
            <Cell label="Before">{before}</Cell>
            <Cell label="After">{after}</Cell>
          </Table.Tr>
        ))}
      </RowTable>
      {shown.length < lines.length && (
        <Button size="xs" variant="default" mt="xs" onClick={() => setAll(true)}>
          Show {formatExact(lines.length)}
        </Button>
      )}
      {lines.length < total && (
        <Text size="sm" c="dimmed" mt="xs">
          The first {formatExact(lines.length)} of {formatExact(total)}.
        </Text>
      )}
    </section>
  )
}

function Cell({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <Table.Td
      ff="monospace"
      fz="sm"
      style={{ whiteSpace: 'pre-wrap' }}
      {...(label && children ? { 'data-label': label } : {})}
    >
      {children}
    </Table.Td>
  )
}
