import { useMemo, useState, type CSSProperties } from 'react'
import type { FeatureType, NamedFeature, ViewerPage } from '../../../shared/viewer.ts'
import type { HeaderDiff as HeaderDiffOf } from '../../lib/types.ts'
import { AvatarField } from '../../ui/avatar-field.tsx'
import { HeaderDiff } from '../../ui/diff/header-diff.tsx'
import { Grid, heightOf } from '../../ui/grid/grid.tsx'
import { blockRows, useBlocks, type RowSource } from '../../ui/grid/use-blocks.ts'
import { useColumns } from '../../ui/grid/use-columns.ts'
import { Section } from '../../ui/section.tsx'
import { Sample, unbroken } from './sample.tsx'

const value = (dtype: string): FeatureType => ({ dtype, _type: 'Value' })
const columns: NamedFeature[] = [
  { name: 'id', type: value('int64') },
  { name: 'text', type: value('string') },
  { name: 'score', type: value('float64') },
  { name: 'is_new', type: value('bool') },
  { name: 'tags', type: { feature: value('string'), _type: 'List' } },
]
const features = columns.map((column, feature_idx) => ({ ...column, feature_idx }))
const total = 1000

/** Rows with what cells have: long, missing, empty and cut values. */
function pageAt(offset: number): ViewerPage {
  const rows = Array.from({ length: Math.min(blockRows, total - offset) }, (_, i) => ({
    row_idx: offset + i,
    row: {
      id: offset + i,
      text: i % 3 === 0 ? unbroken : i % 3 === 1 ? '' : null,
      score: i / 7,
      is_new: i % 2 === 0,
      tags: ['one', 'two'].slice(0, i % 3),
    },
    truncated_cells: i === 0 ? ['text'] : [],
  }))
  return { features, rows, num_rows_total: total, num_rows_per_page: blockRows, partial: false }
}

const source: RowSource = { key: ['design', 'rows'], read: async (offset) => pageAt(offset) }
const onSight = () => undefined

function SampleGrid() {
  const rows = useBlocks(source, 0)
  const [room, setRoom] = useState(0)
  const shown = useColumns(columns, room)
  const [open, setOpen] = useState<number>()
  const target = useMemo(() => ({ index: 0 }), [])
  return (
    <div style={{ height: Math.min(400, heightOf(columns, total)), display: 'grid' } satisfies CSSProperties}>
      <Grid
        label="Sample rows"
        columns={shown}
        rows={rows}
        total={total}
        actions={{}}
        target={target}
        onSight={onSight}
        openIndex={open}
        onOpen={setOpen}
        onSize={setRoom}
      />
    </div>
  )
}

const tensor = (name: string, dtype: string, shape: number[]) => ({ name, dtype, shape })
const none = { count: 0, items: [] }
const headerDiff: HeaderDiffOf = {
  old: { commit: 'a'.repeat(40), path: 'model.safetensors' },
  new: { commit: 'b'.repeat(40), path: 'model.safetensors' },
  tensors: {
    added: { count: 1, items: [tensor(`layers.0.${unbroken}`, 'BF16', [4096, 4096])] },
    removed: { count: 1, items: [tensor('lm_head.bias', 'F32', [])] },
    changed: {
      count: 1,
      items: [
        {
          name: 'embed.weight',
          old: tensor('embed.weight', 'F32', [32000, 4096]),
          new: tensor('embed.weight', 'BF16', [32064, 4096]),
        },
      ],
    },
    alike: 0,
  },
  keys: { added: { count: 1, items: [{ key: 'format', value: 'pt' }] }, removed: none, changed: none },
  truncated: true,
}

/** Tables of rows, differences of headers, fields with pictures. */
export function DataParts() {
  return (
    <>
      <Section title="Rows of data">
        <SampleGrid />
      </Section>
      <Section title="Differences of headers">
        <Sample state="added, removed and changed, cut">
          <HeaderDiff diff={headerDiff} />
        </Sample>
        <Sample state="nothing differs">
          <HeaderDiff
            diff={{
              ...headerDiff,
              tensors: { added: none, removed: none, changed: none, alike: 0 },
              keys: { added: none, removed: none, changed: none },
              truncated: false,
            }}
          />
        </Sample>
      </Section>
      <Section title="Avatar">
        <AvatarField ns="you" />
      </Section>
    </>
  )
}
