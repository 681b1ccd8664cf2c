import { Button, Stack, Text } from '@mantine/core'
import { formatCompact } from '../../lib/format.ts'
import { bounds, type BoundName, type FacetName } from './list-state.ts'
import classes from './repos.module.css'

interface FacetProps {
  name: FacetName
  values: { value: string; count: number }[]
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
  size_category: 'Rows',
  mirror: 'Origin',
}

/** Values that are no words. */
const words: Partial<Record<FacetName, Record<string, string>>> = {
  mirror: { true: 'mirrored', false: 'made here' },
}
const shown = 12

/** One way to narrow a list: its values with how many repos each has; pressing the chosen one clears it. */
export function Facet({ name, values, chosen, onChoose }: FacetProps) {
  const isAlike = name === 'mirror' && values.every(({ value }) => value === 'false')
  if ((values.length === 0 || isAlike) && !chosen) return null
  const listed =
    values.some(({ value }) => value === chosen) || !chosen
      ? values
      : [{ value: chosen, count: 0 }, ...values]
  return (
    <Stack gap={4} component="section" aria-label={labels[name]}>
      <Text size="xs" c="dimmed" fw={600}>
        {labels[name]}
      </Text>
      <div className={classes['facet']}>
        {listed.slice(0, shown).map(({ value, count }) => (
          <Button
            key={value}
            size="compact-xs"
            variant={value === chosen ? 'filled' : 'default'}
            aria-pressed={value === chosen}
            fw={500}
            rightSection={formatCompact(count)}
            onClick={() => onChoose(value === chosen ? '' : value)}
          >
            {words[name]?.[value] ?? value}
          </Button>
        ))}
      </div>
    </Stack>
  )
}

interface BoundsProps {
  chosen: ReadonlyMap<BoundName, string>
  onChoose: (name: BoundName, value: string) => void
}

/** Ranges of what models have: parameters, context. */
export function Bounds({ chosen, onChoose }: BoundsProps) {
  return Object.values(bounds).map(({ label, choices }) => (
    <Stack key={label} gap={4} component="section" aria-label={label}>
      <Text size="xs" c="dimmed" fw={600}>
        {label}
      </Text>
      <div className={classes['facet']}>
        {choices.map(({ label: text, ...range }) => {
          const names = Object.keys(choices.reduce((all, choice) => ({ ...all, ...choice }), {})).filter(
            (name) => name !== 'label',
          ) as BoundName[]
          const values: Partial<Record<BoundName, string>> = range
          const isChosen = names.every((name) => chosen.get(name) === values[name])
          return (
            <Button
              key={text}
              size="compact-xs"
              variant={isChosen ? 'filled' : 'default'}
              aria-pressed={isChosen}
              fw={500}
              onClick={() => {
                for (const name of names) onChoose(name, isChosen ? '' : (values[name] ?? ''))
              }}
            >
              {text}
            </Button>
          )
        })}
      </div>
    </Stack>
  ))
}
