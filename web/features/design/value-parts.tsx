import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import type { ColumnStatistics, FeatureType, NamedFeature } from '../../../shared/viewer.ts'
import { Chart } from '../../ui/grid/chart.tsx'
import { Lightbox } from '../../ui/grid/lightbox.tsx'
import { LongText } from '../../ui/grid/long-text.tsx'
import { RowDrawer } from '../../ui/grid/row-drawer.tsx'
import { Value } from '../../ui/grid/value.tsx'
import { Section } from '../../ui/section.tsx'
import { Given } from './given.tsx'
import { endless, Sample, unbroken } from './sample.tsx'

const nothing = () => undefined
const picture = '/assets/icon-1.svg'
const text: FeatureType = { dtype: 'string', _type: 'Value' }
const number: FeatureType = { dtype: 'int64', _type: 'Value' }
const object = { a: text } as FeatureType
const image = { _type: 'Image' } as FeatureType

/** Cells by what they hold. */
const values: [state: string, type: FeatureType, value: unknown, isCut?: boolean][] = [
  ['missing', text, null],
  ['number', number, 42],
  ['label', { _type: 'ClassLabel', names: ['cat', 'dog'] } as FeatureType, 1],
  ['text', text, endless],
  ['text, cut', text, unbroken, true],
  ['picture', image, { src: picture, width: 64, height: 64 }],
  ['picture on another server', image, { src: 'https://example.org/a.png' }],
  ['picture, missing', image, {}],
  ['pictures', { feature: image, _type: 'List' }, [{ src: picture }, { src: picture }]],
  ['PDF', { _type: 'Pdf' } as FeatureType, { src: picture }],
  [
    'conversation',
    { feature: object, _type: 'List' },
    [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: endless },
      { role: 'assistant', content: unbroken },
    ],
  ],
  ['object', object, { a: [1, true, null], b: unbroken }],
]

const facts = { nan_count: 0, nan_proportion: 0 }
const statistics: [state: string, ColumnStatistics][] = [
  [
    'numbers',
    {
      column_name: 'score',
      column_type: 'float',
      column_statistics: { ...facts, histogram: { hist: [1, 5, 9, 0, 2], bin_edges: [0, 1, 2, 3, 4, 5] } },
    },
  ],
  [
    'labels, some missing',
    {
      column_name: 'kind',
      column_type: 'string_label',
      column_statistics: {
        nan_count: 5,
        nan_proportion: 0.1,
        frequencies: { cat: 20, dog: 15, [unbroken]: 10 },
      },
    },
  ],
  [
    'all missing',
    { column_name: 'x', column_type: 'int', column_statistics: { nan_count: 9, nan_proportion: 1 } },
  ],
]

const columns: NamedFeature[] = [
  { name: 'id', type: number },
  { name: 'text', type: text },
  { name: unbroken, type: object },
]
const row = { row_idx: 7, row: { id: 7, text: endless, [unbroken]: { a: null } }, truncated_cells: ['text'] }

/** Cells in full, alone and as a row, and how the values of a column spread. */
export function ValueParts() {
  const [open, setOpen] = useState<'picture' | 'row' | 'awaited row'>()
  const close = () => setOpen(undefined)
  return (
    <Given known={[]}>
      <Section title="Values">
        {values.map(([state, type, value, isCut = false]) => (
          <Sample key={state} state={state}>
            <Value type={type} value={value} isCut={isCut} />
          </Sample>
        ))}
        <Sample state="text that is Markdown">
          <LongText text={`## Title\n\n${endless}`} isCut={false} />
        </Sample>
        <Sample state="text that is JSON">
          <LongText text='{"a": [1, 2]}' isCut={false} />
        </Sample>
        <Group>
          {(['picture', 'row', 'awaited row'] as const).map((what) => (
            <Button key={what} variant="default" onClick={() => setOpen(what)}>
              Open the {what}
            </Button>
          ))}
        </Group>
        {open === 'picture' && <Lightbox src={picture} onClose={close} />}
        {open !== undefined && open !== 'picture' && (
          <RowDrawer
            columns={columns}
            row={open === 'row' ? row : undefined}
            index={0}
            total={2}
            column="text"
            link={`${location.href}?row=7`}
            onMove={nothing}
            onClose={close}
          />
        )}
      </Section>
      <Section title="Spread of values">
        {statistics.map(([state, of]) => (
          <Sample key={state} state={state}>
            <div style={{ width: 180 }}>
              <Chart statistics={of} onPick={undefined} />
            </div>
          </Sample>
        ))}
      </Section>
    </Given>
  )
}
