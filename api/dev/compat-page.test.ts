import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { OpenAPIHono } from '@hono/zod-openapi'
import { describe, expect, test } from 'vitest'
import type { Env } from '../core/http/env.ts'
import { mountHub } from '../surfaces/hub/handlers.ts'
import { mountLfs } from '../surfaces/lfs-http/handlers.ts'

interface Row {
  row: string
  purpose: string
  section: string
  log?: { method?: string; path: string }[]
}
interface Client {
  client: string
  stage: string
}
interface Tables {
  words: Record<string, string>
  supported: Row[]
  not_supported: Row[]
  reasons: Record<string, string>
  clients: Client[]
}
interface Page {
  clients: string[]
  reasons: Record<string, string>
  rows: { row: string; isSupported: boolean; cells: string[] }[]
}
interface Recorded {
  client: string
  row: string
  passed: boolean
}

// A plain script, since it runs before anything is installed; so it has no types of its own.
const { makePage, markdownOf, readTables, reasonFor } = (await import(
  new URL('compat-page.mjs', import.meta.url).href
)) as {
  makePage: (
    tables: Tables,
    records: Recorded[],
    hasRun: (stage: string) => boolean,
    before?: Page,
  ) => { page: Page; faults: string[] }
  markdownOf: (page: Page) => string
  readTables: () => Tables
  reasonFor: (client: Client, row: string) => string | undefined
}

const tables = readTables()
const rows = [...tables.supported, ...tables.not_supported]
const root = fileURLToPath(new URL('../..', import.meta.url))
const kept = JSON.parse(readFileSync(join(root, 'web/features/docs/compatibility.gen.json'), 'utf8')) as Page

/** What every test would record if all passed. */
const everything = tables.clients.flatMap((client) =>
  rows
    .filter(({ row }) => !reasonFor(client, row))
    .map(({ row }) => ({ client: client.client, row, passed: true })),
)

describe('the rows of the hub protocol', () => {
  test('are 66 that are served and 3 that are not, each once', () => {
    expect([tables.supported.length, tables.not_supported.length]).toEqual([66, 3])
    expect(new Set(rows.map(({ row }) => row)).size).toBe(69)
  })

  const app = new OpenAPIHono<Env>()
  mountHub(app)
  mountLfs(app, { chunkActionFor: () => ({ href: '', header: {}, expires_in: 0 }) })
  const addresses = tables.supported.map(({ row }) => row).filter((row) => row.includes(' /'))

  test.each(addresses)('%s is mounted', (row) => {
    const [method = '', template = ''] = row.split(' ')
    const samples: Record<string, string> = {
      '{type}': 'model',
      '{repo}': 'alice/tiny',
      '{slug}': 'alice/fine-0123456789ab0123456789ab',
      '{num}': '1',
      '{id}': '0123456789ab0123456789ab',
    }
    const path = template.split('?', 1)[0]?.replace(/\{\w+\}/g, (word) => samples[word] ?? 'main') ?? ''
    // HEAD is given to the application as GET.
    const [matched] = app.router.match(method === 'HEAD' ? 'GET' : method, path)
    expect(matched.filter(([[, route]]) => route.method !== 'ALL').length).toBeGreaterThan(0)
  })
})

test('clients.json names the versions that the environments install', () => {
  const ofPython = tables.clients.filter(({ client }) => !client.startsWith('@') && client.includes(' '))
  const pinned = ofPython.filter(({ client, stage }) => /^compat-[a-d]$/.test(stage) && /\d$/.test(client))
  expect(pinned.length).toBeGreaterThan(10)
  const missing = pinned.filter(({ client, stage }) => {
    const [name = '', version] = client.replace(/^hf /, 'huggingface-hub ').replace('_', '-').split(' ')
    const file = `e2e/compat/requirements-${stage.at(-1)}.txt`
    return !readFileSync(join(root, file), 'utf8').split('\n').includes(`${name}==${version}`)
  })
  expect(missing).toEqual([])
})

describe('the compatibility page', () => {
  const all = () => true

  test('shows what passed, and why a client has no call', () => {
    const { page, faults } = makePage(tables, everything, all)
    expect(faults).toEqual([])
    const like = page.rows.find(({ row }) => row === 'POST /api/{type}s/{repo}/like')
    expect(page.reasons[like?.cells[0] ?? '']).toMatch(/only pages give them/)
    expect(like?.cells.at(-1)).toBe('passed')
    expect(markdownOf(page)).toContain('66 of 66 rows')
  })

  test('has a row that no test proved, or one that failed, as a fault', () => {
    const row = 'GET /api/whoami-v2'
    const without = everything.filter((record) => record.row !== row || record.client !== 'hf 2.2.0')
    expect(makePage(tables, without, all).faults).toEqual([`hf 2.2.0: ${row}`])
    const failed = [...everything, { client: 'hf 2.2.0', row, passed: false }]
    const { page, faults } = makePage(tables, failed, all)
    expect(faults).toEqual([`hf 2.2.0: ${row}`])
    expect(markdownOf(page)).toContain('65 of 66 rows')
  })

  test('has a call that a client is said not to have as a fault', () => {
    const row = 'POST /api/repos/move'
    const { faults } = makePage(tables, [...everything, { client: 'git-lfs', row, passed: true }], all)
    expect(faults).toEqual([`git-lfs calls ${row}, which clients.json denies`])
  })

  test('keeps the cells of clients whose stage did not run', () => {
    const { page: before } = makePage(tables, everything, all)
    const ofNode = everything.filter(({ client }) => client.startsWith('@'))
    expect(makePage(tables, ofNode, (stage) => stage === 'compat-node', before)).toEqual({
      page: before,
      faults: [],
    })
  })

  test('as it is kept has every row and client, and the document says the same', () => {
    expect(kept.clients).toEqual(tables.clients.map(({ client }) => client))
    expect(kept.rows.map(({ row }) => row)).toEqual(rows.map(({ row }) => row))
    expect(readFileSync(join(root, 'docs/compatibility.md'), 'utf8')).toBe(markdownOf(kept))
  })
})
