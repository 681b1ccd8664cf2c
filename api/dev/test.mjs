// npm test: sets up all it needs, runs every stage, ends with "N passed, N failed".
//   --only <stage>[,<stage>]   these stages alone (a name or its beginning: compat is every compat-*)
//   --soak, --bench, --scale   that stage alone; `--bench --scale` is --scale
import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { checkTools, ensureInstalled } from './install.mjs'
import { keepingOutput, main, say, SetupError } from './run.mjs'

function chosen(stages) {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      soak: { type: 'boolean' },
      bench: { type: 'boolean' },
      scale: { type: 'boolean' },
    },
  })
  const extra = values.scale ? 'scale' : ['soak', 'bench'].find((name) => values[name])
  const names = extra ? [extra] : values.only?.split(',')
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
    return { passed: 0, failed: 1, failures: [], note: 'could not be set up or run' }
  })
  return { ...counts, name: stage.name, seconds: Math.round((performance.now() - started) / 1000) }
}

/**
 * What two cores bear at once: most stages keep nearly one busy and wait for the rest of their time, for processes to
 * start and for disks; a stage of more `share` counts as so many.
 */
const SHARES = 3

/** Runs them in their order: those that want the machine to themselves alone, the others beside each other. */
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
  const running = new Map()
  const taken = () => [...running.values()].reduce((sum, share) => sum + share, 0)
  for (const [i, stage] of stages.entries()) {
    const { share = 1 } = stage
    while (taken() + share > SHARES) await Promise.race(running.keys())
    const work = keepingOutput(() => runStage(stage)).then(({ answer, output }) => {
      process.stdout.write(output)
      results[i] = answer
      running.delete(work)
    })
    running.set(work, share)
  }
  await Promise.all(running.keys())
  return results
}

/** A failure's name and reason on one line of at most 300 characters. */
const shortened = (failure) => failure.replaceAll(/\s+/g, ' ').trim().slice(0, 300)

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
  // Once more, at the end and a line each: what is kept of a long run is often its last lines only.
  for (const { name, failures } of results)
    for (const failure of failures) process.stdout.write(`not ok - ${name}: ${shortened(failure)}\n`)
  const sum = (key) => results.reduce((total, counts) => total + counts[key], 0)
  process.exitCode = sum('failed') === 0 ? 0 : 1
  process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed\n`)
})
