// What takes longer than `npm test` may: `npm run test:soak`. The figures of a run that passes go to docs/soak.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import { root } from '../../api/dev/run.mjs'
import { buildCrashServer } from './crash/build.mjs'
import { scenarios } from './crash/scenarios.mjs'
import { testPoints, testRounds } from './crash/tests.mjs'

const rounds = Number(process.env['SOAK_ROUNDS'] ?? 500)
const longestMinutes = 45
const names = Object.keys(scenarios)
const points = new Map()
let random

await buildCrashServer()
testPoints(names, (name, crashes) => points.set(name, crashes))
testRounds(rounds, longestMinutes, (figures) => (random = figures))
after(() => {
  if (points.size === names.length && random) writeFigures()
})

/** What the server was doing at each point, in order and each once. */
const steps = (crashes) => [...new Set(crashes.map((crash) => crash.split(' ')[1]))].join(', ')

function writeFigures() {
  const file = join(root, 'docs', 'soak.md')
  const [text] = readFileSync(file, 'utf8').split('<!-- figures -->')
  const rows = [...points].map(([name, crashes]) => `| ${name} | ${crashes.length} | ${steps(crashes)} |`)
  const figures = [
    `Last run: ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}.`,
    '',
    '| request | points | steps |',
    '| --- | --- | --- |',
    ...rows,
    '',
    `Random kills: ${random.rounds} rounds; ${random.acknowledged} operations acknowledged, ${random.files} files and ${random.repos} Repos among them at the end; none lost, none by half.`,
  ]
  writeFileSync(file, `${text}<!-- figures -->\n\n${figures.join('\n')}\n`)
}
