import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseCard, readYaml } from '../../content/index.ts'
import { planDataset } from './plan.ts'

/** What `datasets` 5.2.0 made of the same files (e2e/compat/python/datasets/golden/make_plans.py). */
interface Case {
  files: Record<string, string>
  plan: {
    error?: string
    builder: string
    default: string | null
    configs: Record<string, { splits: Record<string, string[]> | null; features: object | null }>
  }
}

const golden = JSON.parse(readFileSync(new URL('./testing/plans.json', import.meta.url), 'utf8')) as Record<
  string,
  Case
>

async function planOf(files: Record<string, string>) {
  const card = await parseCard(files['README.md'] ?? '')
  const own = await readYaml(files['.huggingface.yaml'] ?? '')
  const matter = { ...card.frontMatter, ...('value' in own ? (own.value as object | null) : {}) }
  return planDataset({ paths: Object.keys(files), name: 'tiny', matter })
}

describe('configs and splits are those of the datasets library', () => {
  test.each(Object.entries(golden))('%s', async (_, { files, plan: expected }) => {
    const plan = await planOf(files)
    if (expected.error !== undefined) {
      expect(plan.problem ?? plan.configs[0]?.problem).toBeDefined()
      return
    }
    expect(plan.problem).toBeUndefined()
    expect(new Set(plan.configs.map(({ builder }) => builder))).toEqual(new Set([expected.builder]))
    expect(plan.configs.map(({ name }) => name).sort()).toEqual(Object.keys(expected.configs).sort())
    expect(plan.configs.find(({ isDefault }) => isDefault)?.name ?? null).toBe(expected.default)
    for (const { name, splits, features, problem } of plan.configs) {
      const of = expected.configs[name]
      if (of?.splits == null) expect(problem).toBeDefined()
      else expect(splits.map((split) => [split.name, split.files])).toEqual(Object.entries(of.splits))
      const types = features && Object.fromEntries(features.map((column) => [column.name, column.type]))
      expect(types ?? null).toEqual(of?.features ?? null)
    }
  })
})

test('a card of more than 4000 configs, or a config of more than 30 splits, is refused', async () => {
  const split = (i: number) => `  - split: s${i}\n    path: a.csv\n`
  const listed = (count: number, line: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => line(i))
  const splits = (count: number) =>
    planOf({
      'a.csv': '',
      'README.md': `---\nconfigs:\n- config_name: a\n  data_files:\n${listed(count, split).join('')}---\n`,
    })
  expect((await splits(30)).configs[0]?.problem).toBeUndefined()
  expect((await splits(31)).configs[0]?.problem?.code).toBe('DatasetWithTooManySplitsError')
  const config = (i: number) => ({ config_name: `c${i}`, data_files: 'a.csv' })
  const configs = (count: number) => {
    const matter = { configs: Array.from({ length: count }, (_, i) => config(i)) }
    return planDataset({ paths: ['a.csv'], name: 'tiny', matter })
  }
  expect((await configs(4000)).configs).toHaveLength(4000)
  expect((await configs(4001)).problem?.code).toBe('DatasetWithTooManyConfigsError')
})
