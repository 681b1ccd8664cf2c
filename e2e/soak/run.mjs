// What takes longer than `npm test` may: `npm run test:soak`. The figures of a run that passes go to docs/soak.md.
import { after } from 'node:test'
import { openStores } from '../topology/stores.mjs'
import { buildCrashServer } from './crash/build.mjs'
import { storesPlace } from './crash/places.mjs'
import { scenarios } from './crash/scenarios.mjs'
import { testPoints, testRounds } from './crash/tests.mjs'
import { madeOn, writeSection } from './page.mjs'

const rounds = Number(process.env['SOAK_ROUNDS'] ?? 500)
const longestMinutes = 90
const names = Object.keys(scenarios)
/** Request → what happened on each of the places. */
const points = new Map(names.map((name) => [name, []]))
let random

const stores = await openStores()
after(() => stores.stop())
await buildCrashServer()
const report = (name, crashes) => points.get(name).push(crashes)
testPoints(names, { report })
const place = { name: 'Postgres and a bucket', openPlace: () => storesPlace(stores) }
testPoints(names, { at: place, report })
const direct = {
  name: 'a bucket that clients send to',
  openPlace: () => storesPlace(stores, { isDirect: true }),
}
testPoints(['upload in parts'], { at: direct, report })
testRounds(rounds, longestMinutes, (figures) => (random = figures))
after(() => {
  const isWhole = names.every((name) => points.get(name).length === (name === 'upload in parts' ? 3 : 2))
  if (isWhole) writePoints()
  if (random) writeRounds()
})

/** What the server was doing at each point, in order and each once. */
const steps = (crashes) => [...new Set(crashes.map((crash) => crash.split(' ')[1]))].join(', ')

function writePoints() {
  const rows = [...points].map(([name, [folder, bucket, direct]]) => {
    const counts = [folder, bucket, direct].map((crashes) => crashes?.length ?? '')
    return `| ${[name, ...counts, steps([folder, bucket, direct ?? []].flat())].join(' | ')} |`
  })
  const head = ['request', 'on a folder', 'on a bucket', 'into the bucket', 'steps']
  const rule = head.map(() => '---')
  writeSection('steps', [
    `Last run: ${madeOn()}.`,
    '',
    `| ${head.join(' | ')} |`,
    `| ${rule.join(' | ')} |`,
    ...rows,
  ])
}

function writeRounds() {
  const { rounds, acknowledged, files, repos } = random
  const sum = `${rounds} rounds; ${acknowledged} operations acknowledged, ${files} files and ${repos} repos among them at the end`
  writeSection('random kills', [`Last run: ${madeOn()}.`, '', `${sum}; none lost, none by half.`])
}
