import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DrawnCards, type Ask, type CardFile } from './drawn-cards.ts'

let folder = ''
let cards: DrawnCards

/** In place of what the build makes of the page's own components. */
const drawing = `let count = 0
export async function drawCard({ text, isWhole, path }) {
  count++
  if (text === 'for ever') while (true);
  if (text === 'memory') for (const all = []; ; ) all.push(Array(1e5).fill(count))
  if (text === 'nested') throw new RangeError('Maximum call stack size exceeded')
  if (text === 'fault') throw new TypeError('no such thing')
  return [count, text.length, isWhole, path].join(' ')
}`

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'arsenal-cards-'))
  await writeFile(join(folder, 'card.mjs'), drawing)
  cards = new DrawnCards(pathToFileURL(join(folder, 'card.mjs')).href)
})
afterAll(async () => {
  await cards.close()
  await rm(folder, { recursive: true, force: true })
})

const card = (oid: string): CardFile => ({
  oid,
  bytes: `/ada/bert/raw/c1/${oid}.md`,
  address: { type: 'models', ns: 'ada', name: 'bert' },
  rev: 'main',
  path: `${oid}.md`,
})

/** Answers a text, and keeps how it was asked for. */
function reading(text: string) {
  const asked: string[] = []
  const ask: Ask = async (path, init = {}) => {
    const range = new Headers(init.headers).get('range')
    asked.push([init.method ?? 'GET', path, ...(range ? [range] : [])].join(' '))
    const [, end = ''] = /-(\d+)$/.exec(range ?? '') ?? []
    return new Response(init.method === 'HEAD' ? null : text.slice(0, Number(end) + 1))
  }
  return { ask, asked }
}
const refusing: Ask = async () => new Response('{}', { status: 403 })

const faults: unknown[] = []
const drawn = (file: CardFile, ask: Ask) => cards.draw(file, ask, (error) => faults.push(error))
/** Once it is there: threads of a busy machine start late, and a page does not wait for that. */
const drawnAtLast = (file: CardFile, ask: Ask) =>
  expect.poll(() => drawn(file, ask)).toEqual(expect.stringContaining(file.path))

test('a card is read and drawn once, and asked for in the name of each caller', async () => {
  const file = card('a')
  const { ask, asked } = reading('text')
  await drawnAtLast(file, ask)
  expect(asked).toContain('GET /ada/bert/raw/c1/a.md bytes=0-49151')
  asked.length = 0
  const html = await drawn(file, ask)
  expect(html).toMatch(/^\d+ 4 true a\.md$/)
  expect(await drawn(file, ask)).toBe(html)
  expect(asked).toEqual(['HEAD /ada/bert/raw/c1/a.md', 'HEAD /ada/bert/raw/c1/a.md'])
})

test('who may not read the file is shown nothing of it, drawn or not', async () => {
  expect(await drawn(card('secret'), refusing)).toBe(undefined)
  const { ask } = reading('text')
  await drawnAtLast(card('secret'), ask)
  expect(await drawn(card('secret'), refusing)).toBe(undefined)
  expect(await drawn(card('secret'), ask)).toBeDefined()
})

test('the same text of another repo has links of its own', async () => {
  const { ask } = reading('text')
  await drawnAtLast(card('both'), ask)
  const other = { ...card('both'), address: { type: 'models', ns: 'eve', name: 'bert' } }
  await drawnAtLast(other, ask)
  expect(await drawn(other, ask)).not.toBe(await drawn(card('both'), ask))
})

test('of a long card the beginning is read', async () => {
  const { ask } = reading('x'.repeat(100_000))
  await drawnAtLast(card('long'), ask)
  expect(await drawn(card('long'), ask)).toMatch(/ 49152 false /)
})

test.each(['for ever', 'memory', 'nested'])('a card that cannot be drawn fails alone: %s', async (text) => {
  const { ask, asked } = reading(text)
  expect(await drawn(card(text), ask)).toBe(undefined)
  await drawnAtLast(card(`after ${text}`), reading('text').ask)
  // It is not tried again with each view.
  await expect.poll(async () => (await drawn(card(text), ask), asked.at(-1))).toMatch(/^HEAD /)
  expect(await drawn(card(text), ask)).toBe(undefined)
  expect(faults).toEqual([])
})

test('a fault of ours is heard', async () => {
  await drawn(card('fault'), reading('fault').ask)
  await expect.poll(() => String(faults[0])).toContain('no such thing')
})
