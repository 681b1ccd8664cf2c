import { meQuery } from '../../lib/session.ts'
import type { Me } from '../../lib/types.ts'
import DataChanges from '../../ui/data-changes/data-changes.tsx'
import { dataChangesQuery, type ConfigChanges, type SplitChanges } from '../../ui/data-changes/queries.ts'
import { Schema } from '../../ui/data-changes/schema.tsx'
import { SplitRow } from '../../ui/data-changes/split-row.tsx'
import { comparisonQuery } from '../../ui/diff/queries.ts'
import { TensorBytes } from '../../ui/diff/tensor-bytes.tsx'
import { ViewedCount } from '../../ui/diff/viewed-count.tsx'
import { Section } from '../../ui/section.tsx'
import { address, Given } from './given.tsx'
import { Sample, unbroken } from './sample.tsx'

const commits = { base: 'a'.repeat(40), head: 'b'.repeat(40) }
const text = { dtype: 'string', _type: 'Value' }
const number = { dtype: 'int64', _type: 'Value' }
const schema: ConfigChanges['schema'] = {
  added: [{ name: 'score', type: number }],
  removed: [{ name: unbroken, type: text }],
  changed: [{ name: 'id', base: text, head: number }],
}
const tooLarge: SplitChanges = {
  name: 'train',
  status: 'changed',
  files: { base: 1, head: 1 },
  rows: { base: 10_000, head: 10_002 },
  note: 'too_many_rows',
  samples: [],
}
const split: SplitChanges = {
  name: 'train',
  status: 'changed',
  files: { base: 1, head: 1 },
  added: 3,
  removed: 1,
  changed: 2,
  samples: [
    { change: 'changed', key: ['7'], cells: [{ column: 'text', base: 'old', head: null }] },
    { change: 'added', key: ['8'], cells: [] },
  ],
}
const changes = {
  configs: [{ name: 'default', status: 'changed', key: ['id'], schema, splits: [split] }],
  truncated: true,
}
const known = { base_commit: commits.base, head_commit: commits.head, bytes: 2e9 }

const sides = {
  old: { commit: commits.base, path: 'model.safetensors' },
  new: { commit: commits.head, path: 'model.safetensors' },
}
const compared = { status: 'ready', ...sides, alike: 40, equal: 38, read: 8e9 }
const me = { id: 'me', username: 'you' } as Me

/** What became of the rows of data and of the bytes of tensors. */
export function ChangeParts() {
  return (
    <>
      <Section title="Changes of data">
        {(
          [
            ['compared', me, { ...known, changes }],
            [
              'cannot be read',
              me,
              { ...known, changes: { configs: [], problem: { code: 'x', message: unbroken } } },
            ],
            ['not compared', me, known],
            ['not compared, anonymous', null, known],
          ] as const
        ).map(([state, viewer, answer]) => (
          <Sample key={state} state={state}>
            <Given
              known={[
                [meQuery.queryKey, viewer],
                [dataChangesQuery(address, commits).queryKey, answer],
              ]}
            >
              <DataChanges commits={commits} />
            </Given>
          </Sample>
        ))}
        <Sample state="columns alone">
          <Schema schema={schema} />
        </Sample>
        <Sample state="split, added">
          <SplitRow split={{ ...split, name: 'test', status: 'added', samples: [] }} keyNames={['id']} />
        </Sample>
        <Sample state="split, too large">
          <SplitRow split={tooLarge} keyNames={[]} />
        </Sample>
      </Section>

      <Section title="Bytes compared">
        {(
          [
            [
              'some differ',
              me,
              { ...compared, different: { count: 2, items: ['lm_head.weight', unbroken] } },
            ],
            ['all equal', me, { ...compared, different: { count: 0, items: [] } }],
            ['not compared', me, { status: 'unknown', ...sides, alike: 40 }],
            ['not compared, anonymous', null, { status: 'unknown', ...sides, alike: 40 }],
          ] as const
        ).map(([state, viewer, answer]) => (
          <Sample key={state} state={state}>
            <Given
              known={[
                [meQuery.queryKey, viewer],
                [comparisonQuery(address, sides).queryKey, answer],
              ]}
            >
              <TensorBytes sides={sides} alike={40} />
            </Given>
          </Sample>
        ))}
        <Sample state="files viewed">
          <ViewedCount viewed={2} of={5} />
        </Sample>
      </Section>
    </>
  )
}
