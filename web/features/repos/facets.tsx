import { Button, NativeSelect, Stack, Text } from '@mantine/core'
import { formatCompact, formatSize } from '../../lib/format.ts'
import type { BoundName, FacetName, Preset, Range } from './list-state.ts'
import classes from './repos.module.css'
import { shownValues, type FacetValue } from './steady-facets.ts'

interface FacetProps {
  name: FacetName
  values: FacetValue[]
  chosen: string | undefined
  onChoose: (value: string) => void
}

const labels: Record<FacetName, string> = {
  task: 'Task',
  library: 'Library',
  format: 'Format',
  quant: 'Quant',
  licence: 'Licence',
  language: 'Language',
  modality: 'Modality',
  size_category: 'Size category',
  mirror: 'Origin',
}

/** Values that are no words. */
const words: Partial<Record<FacetName, Record<string, string>>> = {
  mirror: { true: 'mirrored', false: 'made here' },
}

/** One way to narrow a list: its values with how many repos each has; pressing the chosen one clears it. */
export function Facet({ name, values, chosen, onChoose }: FacetProps) {
  const isAlike = name === 'mirror' && values.every(({ value }) => value === 'false')
  if ((values.length === 0 || isAlike) && !chosen) return null
  const listed =
    values.some(({ value }) => value === chosen) || !chosen
      ? values
      : [{ value: chosen, count: 0, width: 1 }, ...values]
  return (
    <Stack gap={4} component="section" aria-label={labels[name]}>
      <Text size="xs" c="dimmed" fw={600}>
        {labels[name]}
      </Text>
      <div className={classes['facet']}>
        {shownValues(listed).map(({ value, count, width }) => (
          <Button
            key={value}
            size="compact-xs"
            variant={value === chosen ? 'filled' : 'default'}
            aria-pressed={value === chosen}
            fw={500}
            disabled={count === 0 && value !== chosen}
            rightSection={<span style={{ minWidth: `${width}ch` }}>{formatCompact(count)}</span>}
            onClick={() => onChoose(value === chosen ? '' : value)}
          >
            {words[name]?.[value] ?? value}
          </Button>
        ))}
      </div>
    </Stack>
  )
}

interface RangesProps {
  ranges: readonly Range[]
  chosen: ReadonlyMap<BoundName, string>
  onChoose: (name: BoundName, value: string) => void
  onChooseAll: (values: Partial<Record<BoundName, string>>) => void
}

const shownStep = (value: number, unit: Range['unit']) =>
  unit === 'bytes' ? formatSize(value) : `${formatCompact(value)}${unit && ` ${unit}`}`

/** What repos have a number of, from and up to. */
export function Ranges({ ranges, chosen, onChoose, onChooseAll }: RangesProps) {
  return ranges.map(({ label, min, max, unit, steps, presets = [] }) => (
    <Stack key={label} gap={4} component="section" aria-label={label}>
      <Text size="xs" c="dimmed" fw={600}>
        {label}
      </Text>
      {presets.length > 0 && (
        <div className={classes['facet']}>
          {presets.map((preset) => (
            <PresetButton key={preset.label} {...{ preset, min, max, chosen, onChooseAll }} />
          ))}
        </div>
      )}
      <div className={classes['range']}>
        {min && (
          <Bound
            label={`${label}, at least`}
            none="any"
            {...{ unit, steps }}
            value={chosen.get(min) ?? ''}
            onChange={(value) => onChoose(min, value)}
          />
        )}
        {min && max ? (
          <Text size="xs" c="dimmed">
            to
          </Text>
        ) : (
          <Text size="xs" c="dimmed">
            {min ? 'or more' : 'at most'}
          </Text>
        )}
        {max && (
          <Bound
            label={`${label}, at most`}
            none="any"
            {...{ unit, steps }}
            value={chosen.get(max) ?? ''}
            onChange={(value) => onChoose(max, value)}
          />
        )}
      </div>
    </Stack>
  ))
}

interface PresetProps extends Pick<RangesProps, 'chosen' | 'onChooseAll'> {
  preset: Preset
  min: BoundName | undefined
  max: BoundName | undefined
}

/** Sets both bounds; pressed again, it clears them. */
function PresetButton({ preset, min, max, chosen, onChooseAll }: PresetProps) {
  const wanted = [
    [min, preset.from?.toString() ?? ''],
    [max, preset.to?.toString() ?? ''],
  ] as const
  const isChosen = wanted.every(([name, value]) => !name || (chosen.get(name) ?? '') === value)
  const values = wanted.flatMap(([name, value]) => (name ? [[name, isChosen ? '' : value]] : []))
  return (
    <Button
      size="compact-xs"
      variant={isChosen ? 'filled' : 'default'}
      aria-pressed={isChosen}
      fw={500}
      onClick={() => onChooseAll(Object.fromEntries(values))}
    >
      {preset.label}
    </Button>
  )
}

interface BoundProps {
  label: string
  none: string
  unit: Range['unit']
  steps: readonly number[]
  value: string
  onChange: (value: string) => void
}

function Bound({ label, none, unit, steps, value, onChange }: BoundProps) {
  const all = value && !steps.includes(Number(value)) ? [Number(value), ...steps] : steps
  return (
    <NativeSelect
      size="xs"
      aria-label={label}
      value={value}
      data={[
        { value: '', label: none },
        ...all.map((step) => ({ value: String(step), label: shownStep(step, unit) })),
      ]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
