// Type-checks a program and counts its type instantiations: types that slow editors down show up early.
// `node api/dev/type-budget.mjs --update` measures again and writes type-budget.json.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { main, root, run, SetupError } from './run.mjs'

const file = join(root, 'api', 'dev', 'type-budget.json')
/** Above this share of the kept number a program's types have become too expensive. */
const allowed = 1.1

/**
 * Runs the compiler over the program in a folder. Each checker instantiates the types it meets for itself, so their
 * number is fixed: with one the count is smallest and the same on every machine.
 */
async function check(program) {
  const flags = ['-p', program, '--pretty', 'false', '--checkers', '1', '--extendedDiagnostics']
  const { status, output } = await run('node_modules/.bin/tsc', flags, { quiet: true })
  const instantiations = Number(/^Instantiations:\s+(\d+)$/m.exec(output)?.[1])
  return { status, output: output.replace(/^Files:[^]*/m, ''), instantiations }
}

/** Type-checks a program and compares it with its budget, if it has one. Answers { status, output }. */
export async function typesWithinBudget(program) {
  const { status, output, instantiations } = await check(program)
  const kept = JSON.parse(readFileSync(file, 'utf8'))[program]
  if (status !== 0 || kept === undefined || instantiations <= kept * allowed) return { status, output }
  const percent = Math.round((instantiations / kept - 1) * 100)
  return {
    status: 1,
    output: `${program}: ${instantiations} type instantiations, ${percent} % above the ${kept} of api/dev/type-budget.json.
Find the type that grew; where it must, node api/dev/type-budget.mjs --update and say why in the commit.\n`,
  }
}

async function update() {
  const budget = {}
  for (const program of ['api', 'web']) {
    const { status, output, instantiations } = await check(program)
    if (status !== 0) throw new SetupError(output)
    budget[program] = instantiations
  }
  writeFileSync(file, `${JSON.stringify(budget, null, 2)}\n`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(async () => {
    if (process.argv[2] !== '--update') throw new SetupError('Usage: node api/dev/type-budget.mjs --update')
    await update()
  })
}
