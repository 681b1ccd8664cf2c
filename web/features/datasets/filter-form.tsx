import {
  ActionIcon,
  Button,
  Group,
  NativeSelect,
  Paper,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import type { NamedFeature } from '../../../shared/viewer.ts'
import classes from './datasets.module.css'
import {
  columnText,
  filterable,
  filterText,
  kindAt,
  labelsAt,
  needsValue,
  operatorsOf,
  parseFilter,
  type Condition,
  type FlatFilter,
} from './where.ts'

interface FilterFormProps {
  columns: NamedFeature[]
  /** The text to begin with. */
  where: string
  /** Whether rows are filtered now. */
  isApplied: boolean
  onApply: (where: string) => void
  onClose: () => void
}

/** Conditions line by line, and the `where` text they make, which can be written by hand as well. */
export function FilterForm({ columns, where, isApplied, onApply, onClose }: FilterFormProps) {
  const [draft, setDraft] = useState(where)
  const filter: FlatFilter | undefined = draft.trim() ? parseFilter(draft) : { join: 'AND', conditions: [] }
  const write = (next: FlatFilter) => setDraft(filterText(next, columns))
  const all = filterable(columns)
  const add = () => {
    const [first] = all
    if (filter && first)
      write({ ...filter, conditions: [...filter.conditions, emptyCondition(columns, first.path)] })
  }
  return (
    <Paper
      component="form"
      withBorder
      p="sm"
      aria-label="Filter"
      onSubmit={(event) => {
        event.preventDefault()
        onApply(draft.trim())
      }}
    >
      <Stack gap="xs">
        {filter ? (
          <>
            {filter.conditions.map((condition, i) => (
              <ConditionLine
                // Conditions have no names, and stay in their order.
                // oxlint-disable-next-line react/no-array-index-key
                key={i}
                columns={columns}
                condition={condition}
                onChange={(next) =>
                  write({
                    ...filter,
                    conditions: filter.conditions.map((one, at) => (at === i ? next : one)),
                  })
                }
                onRemove={() =>
                  write({ ...filter, conditions: filter.conditions.filter((_, at) => at !== i) })
                }
              />
            ))}
            <Group gap="xs">
              <Button size="xs" variant="default" leftSection={<IconPlus size={14} />} onClick={add}>
                Add a condition
              </Button>
              {filter.conditions.length > 1 && (
                <NativeSelect
                  size="xs"
                  aria-label="How conditions combine"
                  value={filter.join}
                  data={[
                    { value: 'AND', label: 'all of them hold' },
                    { value: 'OR', label: 'one of them holds' },
                  ]}
                  onChange={({ currentTarget }) =>
                    write({ ...filter, join: currentTarget.value as 'AND' | 'OR' })
                  }
                />
              )}
            </Group>
          </>
        ) : (
          <Text size="sm" c="dimmed">
            This filter is written by hand. Edit it as text.
          </Text>
        )}
        <Textarea
          size="xs"
          label="As text"
          description={`Columns in double quotes, texts in single ones: "score" > 0.5 AND ("lang" IN ('de', 'fr') OR "title" ILIKE '%news%')`}
          autosize
          minRows={1}
          maxRows={6}
          spellCheck={false}
          classNames={{ input: classes['where'] ?? '' }}
          value={draft}
          onChange={({ currentTarget }) => setDraft(currentTarget.value)}
        />
        <Group gap="xs">
          <Button size="xs" type="submit">
            Apply
          </Button>
          {isApplied && (
            <Button size="xs" variant="default" onClick={() => onApply('')}>
              Remove the filter
            </Button>
          )}
          <Button size="xs" variant="subtle" color="gray" onClick={onClose}>
            Close
          </Button>
        </Group>
      </Stack>
    </Paper>
  )
}

/** A condition on a column, as the form begins it. */
export function emptyCondition(columns: NamedFeature[], column: string[]): Condition {
  const [first] = operatorsOf(kindAt(columns, column) ?? 'text')
  const { operator = 'IS NOT NULL' as const, isLength } = first ?? {}
  const value = needsValue(operator) ? (labelsAt(columns, column)[0] ?? '') : ''
  return { column, operator, value, ...(isLength ? { isLength } : {}) }
}

interface LineProps {
  columns: NamedFeature[]
  condition: Condition
  onChange: (next: Condition) => void
  onRemove: () => void
}

function ConditionLine({ columns, condition, onChange, onRemove }: LineProps) {
  const { column, operator, isLength = false, value } = condition
  const kind = kindAt(columns, column)
  const known = operatorsOf(kind ?? 'text')
  const chosen = known.findIndex((one) => one.operator === operator && (one.isLength ?? false) === isLength)
  const labels = labelsAt(columns, column)
  return (
    <Group gap="xs" align="flex-start">
      <NativeSelect
        size="xs"
        className={classes['column'] ?? ''}
        aria-label="Column"
        value={columnText(column)}
        onChange={({ currentTarget }) => {
          const next = filterable(columns).find(({ path }) => columnText(path) === currentTarget.value)
          if (next) onChange(emptyCondition(columns, next.path))
        }}
        data={[
          ...(kind ? [] : [{ value: columnText(column), label: `${column.join('.')} (missing)` }]),
          ...filterable(columns).map(({ path }) => ({ value: columnText(path), label: path.join('.') })),
        ]}
      />
      <NativeSelect
        size="xs"
        aria-label="Condition"
        value={String(chosen)}
        onChange={({ currentTarget }) => {
          const next = known[Number(currentTarget.value)]
          if (!next) return
          const kept = needsValue(next.operator) ? value : ''
          onChange({
            column,
            operator: next.operator,
            value: kept,
            ...(next.isLength ? { isLength: true } : {}),
          })
        }}
        data={[
          ...(chosen < 0 ? [{ value: '-1', label: operator }] : []),
          ...known.map(({ words }, i) => ({ value: String(i), label: words })),
        ]}
      />
      {needsValue(operator) &&
        (labels.length > 0 ? (
          <NativeSelect
            size="xs"
            aria-label="Value"
            value={value}
            data={labels.includes(value) ? labels : [value, ...labels]}
            onChange={({ currentTarget }) => onChange({ ...condition, value: currentTarget.value })}
          />
        ) : (
          <TextInput
            size="xs"
            aria-label="Value"
            value={value}
            placeholder={placeholderOf(operator, kind, isLength)}
            error={
              (kind === 'number' || isLength) && value !== '' && !Number.isFinite(Number(value))
                ? 'Write a number.'
                : undefined
            }
            onChange={({ currentTarget }) => onChange({ ...condition, value: currentTarget.value })}
          />
        ))}
      <ActionIcon
        size="md"
        variant="subtle"
        color="gray"
        aria-label="Remove this condition"
        onClick={onRemove}
      >
        <IconX size={14} />
      </ActionIcon>
    </Group>
  )
}

function placeholderOf(operator: Condition['operator'], kind: string | undefined, isLength: boolean): string {
  if (operator.endsWith('ILIKE')) return '%part% (% is any text)'
  if (kind === 'number' || isLength) return 'number'
  return kind === 'time' ? '2026-01-31' : 'text'
}
