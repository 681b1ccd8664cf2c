// npm test: sets up all it needs, runs every stage, ends with "N passed, N failed".
//   --only <stage>[,<stage>]   these stages alone (a name or its beginning: compat is every compat-*)
//   --soak, --bench            that stage alone
import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { checkTools, ensureInstalled } from './install.mjs'
import { keepingOutput, main, say, SetupError } from './run.mjs'

function chosen(stages) {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, soak: { type: 'boolean' }, bench: { type: 'boolean' } },
  })
  const extra = ['soak', 'bench'].filter((name) => values[name])
  const names = extra.length > 0 ? extra : values.only?.split(',')
  if (!names) return stages.filter(({ isExtra, exists }) => !isExtra && exists())
  const isMeant = (stage) => names.some((name) => stage.name === name || stage.name.startsWith(`${name}-`))
  const found = stages.filter((stage) => isMeant(stage) && stage.exists())
  if (found.length > 0) return found
  throw new SetupError(
    `there is no stage ${names.join(', ')}; stages: ${stages.map(({ name }) => name).join(', ')}`,
  )
}

/** A stage that cannot be set up failed: nothing is skipped. */
async function runStage(stage) {
  say(`\n── ${stage.name} ──\n`)
  const started = performance.now()
  const counts = await stage.run().catch((error) => {
    say(`${error instanceof SetupError ? error.message : (error.stack ?? error)}\n`)
    return { passed: 0, failed: 1, note: 'could not be set up or run' }
  })
  return { ...counts, name: stage.name, seconds: Math.round((performance.now() - started) / 1000) }
}

/** Most stages wait about half of their time, for processes to start and for disks: two at once fill two cores. */
const LANES = 2

/** Runs them in their order: those that want the machine to themselves alone, the others two at a time. */
async function runAll(stages) {
  const results = []
  for (let rest = stages; rest.length > 0; rest = stages.slice(results.length)) {
    const end = rest.findIndex(({ isAlone }) => isAlone)
    const group = rest.slice(0, end === -1 ? undefined : Math.max(end, 1))
    results.push(...(await runBeside(group)))
  }
  return results
}

async function runBeside(stages) {
  if (stages.length === 1) return [await runStage(stages[0])]
  const results = []
  const queue = stages.entries()
  const lane = async () => {
    for (const [i, stage] of queue) {
      const { answer, output } = await keepingOutput(() => runStage(stage))
      process.stdout.write(output)
      results[i] = answer
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return results
}

await main(async () => {
  await checkTools()
  await ensureInstalled()
  const { stages } = await import('./stages.mjs')
  const { reports } = await import('./stage-tools.mjs')
  rmSync(reports, { recursive: true, force: true })
  const running = chosen(stages)
  for (const { prepare } of running) for (const make of prepare) make().catch(() => undefined)
  const results = await runAll(running)
  process.stdout.write('\n')
  for (const { name, passed, failed, seconds, note } of results) {
    const figures = `${String(passed).padStart(6)} passed ${String(failed).padStart(5)} failed ${String(seconds).padStart(5)} s`
    process.stdout.write(`${name.padEnd(14)}${figures}${note ? `  ${note}` : ''}\n`)
  }
  const sum = (key) => results.reduce((total, counts) => total + counts[key], 0)
  process.exitCode = sum('failed') === 0 ? 0 : 1
  process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed\n`)
})
