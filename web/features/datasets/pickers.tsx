import { Badge, Group, NativeSelect } from '@mantine/core'
import { useNavigate } from 'react-router'
import { formatCompact, formatExact, formatRows, formatSize } from '../../lib/format.ts'
import type { Config, DatasetConfigs, Split } from './queries.ts'

interface PickersProps {
  configs: DatasetConfigs
  config: Config
  /** Left out where the config has none. */
  split: Split | undefined
  pageOf: (config: string, split: string) => string
}

/** Which config and which split are shown, with their counts. */
export function Pickers({ configs, config, split, pageOf }: PickersProps) {
  const navigate = useNavigate()
  return (
    <Group gap="xs">
      <NativeSelect
        size="xs"
        aria-label="Config"
        value={config.name}
        data={configs.configs.map((one) => ({
          value: one.name,
          label: labelOf(one.name, rowsOf(one.splits)),
        }))}
        onChange={({ currentTarget }) => {
          const next = configs.configs.find(({ name }) => name === currentTarget.value)
          if (next) void navigate(pageOf(next.name, next.splits[0]?.name ?? ''))
        }}
      />
      {split && (
        <NativeSelect
          size="xs"
          aria-label="Split"
          value={split.name}
          data={config.splits.map((one) => ({ value: one.name, label: labelOf(one.name, one.rows) }))}
          onChange={({ currentTarget }) => void navigate(pageOf(config.name, currentTarget.value))}
        />
      )}
      {split?.status === 'partial' && <Partial split={split} />}
    </Group>
  )
}

const labelOf = (name: string, rows: number | undefined) =>
  rows === undefined ? name : `${name} · ${formatRows(rows)}`

/** Rows of all splits, where all are known. */
const rowsOf = (splits: Split[]): number | undefined =>
  splits.length > 0 && splits.every(({ rows }) => rows !== undefined)
    ? splits.reduce((sum, { rows = 0 }) => sum + rows, 0)
    : undefined

function Partial({ split: { rows, estimated_rows: all, bytes } }: { split: Split }) {
  const count = rows === undefined ? '' : ` The first ${formatExact(rows)} rows are here.`
  const estimate = all === undefined ? '' : ` There are about ${formatCompact(all)}.`
  const size = bytes === undefined ? '' : ` They take ${formatSize(bytes)}.`
  return (
    <Badge
      variant="light"
      color="caution"
      title={`This split is too large to be converted whole.${count}${estimate}${size}`}
    >
      partial
    </Badge>
  )
}
