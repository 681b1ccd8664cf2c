import { expect, test } from 'vitest'
import { splitSnippets } from './split-snippets.ts'

const at = {
  type: 'datasets',
  ns: 'pat',
  name: 'table',
  config: 'a b',
  split: 'train',
  files: 1,
  isClosed: false,
}
const codeOf = (id: string, more: Partial<typeof at> = {}) =>
  splitSnippets({ ...at, ...more }, 'https://hub.test').find((one) => one.id === id)?.code

test('every library loads the split from this server', () => {
  // Lines that run, not comments: copied alone, the code asks this server.
  expect(
    codeOf('datasets')
      ?.split('\n')
      .filter((line) => line !== ''),
  ).toEqual([
    'import os',
    'os.environ["HF_ENDPOINT"] = "https://hub.test"',
    'from datasets import load_dataset',
    'ds = load_dataset("pat/table", "a b", split="train")',
  ])
  const url = 'https://hub.test/api/datasets/pat/table/parquet/a%20b/train/0.parquet'
  expect(codeOf('duckdb')).toContain(`read_parquet([\n  '${url}'\n])`)
  expect(codeOf('pandas')).toContain(`pd.read_parquet("${url}")`)
  expect(codeOf('polars')).toContain(`pl.read_parquet("${url}")`)
})

test('several files are named, and of many the first', () => {
  expect(codeOf('pandas', { files: 2 })).toContain('/train/1.parquet')
  expect(codeOf('duckdb', { files: 9 })).toContain('-- …and 4 more files')
})

test('a closed dataset needs a token', () => {
  expect(codeOf('pandas', { isClosed: true })).toContain('"Authorization": "Bearer hf_…"')
  expect(codeOf('duckdb', { isClosed: true })).toContain("SCOPE 'https://hub.test'")
})
