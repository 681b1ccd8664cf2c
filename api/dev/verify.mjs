// npm run verify: every check that does not run the product, in under 30 seconds.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { auditDependencies } from './audit.mjs'
import { checkTools, ensureInstalled } from './install.mjs'
import { main, root, run } from './run.mjs'
import { typesWithinBudget } from './type-budget.mjs'

const bin = (name) => `node_modules/.bin/${name}`

/** Longest first, so that the short ones fill the gaps. */
const checks = [
  { name: 'types of api', run: () => typesWithinBudget('api') },
  { name: 'types of web', run: () => typesWithinBudget('web') },
  { name: 'types of shared', run: () => quiet(bin('tsc'), ['-p', 'shared', '--pretty', 'false']) },
  { name: 'types of tools', run: () => quiet(bin('tsc'), ['-p', 'api/dev', '--pretty', 'false']) },
  { name: 'types of e2e', run: () => quiet(bin('tsc'), ['-p', 'e2e', '--pretty', 'false']) },
  {
    name: 'types of scripts',
    run: () => quiet(bin('tsc'), ['-p', 'e2e/tsconfig.scripts.json', '--pretty', 'false']),
  },
  { name: 'generated client', run: generatedClient },
  { name: 'released API', run: () => quiet(bin('tsx'), ['api/dev/released-api/main.ts']) },
  { name: 'rooms', run: () => quiet(bin('tsx'), ['api/dev/check-rooms.ts']) },
  { name: 'tables', run: () => quiet(bin('tsx'), ['api/dev/check-tables.ts']) },
  { name: 'words', run: () => quiet(bin('tsx'), ['api/dev/check-words.ts']) },
  { name: 'citations', run: () => quiet(bin('tsx'), ['api/dev/check-citations.ts']) },
  { name: 'unused exports', run: () => quiet(bin('tsx'), ['api/dev/unused.ts']) },
  { name: 'assertions', run: () => quiet(bin('tsx'), ['api/dev/assertions.ts']) },
  { name: 'lint', run: () => quiet(bin('oxlint'), ['--format', 'unix']) },
  { name: 'format', run: () => quiet(bin('oxfmt'), ['--check']) },
  { name: 'audit', run: () => auditDependencies() },
]

function quiet(command, args, env) {
  return run(command, args, { quiet: true, env })
}

/** Generates the client into a scratch file and compares it with the one checked in. */
async function generatedClient() {
  const folder = mkdtempSync(join(tmpdir(), 'arsenal-gen-'))
  const made = join(folder, 'operations.gen.ts')
  try {
    const generated = await quiet(bin('tsx'), ['api/dev/gen-client.ts', made])
    if (generated.status !== 0) return generated
    const kept = join(root, 'shared', 'operations.gen.ts')
    const isFresh = existsSync(kept) && readFileSync(kept, 'utf8') === readFileSync(made, 'utf8')
    return isFresh ? generated : { status: 1, output: 'shared/operations.gen.ts is stale: run npm run gen\n' }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Runs every check, as many at once as there are cores. Answers name → passed. */
export async function verify() {
  const waiting = [...checks]
  const results = []
  const work = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const started = performance.now()
      const { status, output, note } = await check.run()
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      process.stdout.write(
        `${status === 0 ? 'pass' : 'FAIL'}  ${check.name.padEnd(18)}${seconds} s${note ? `  ${note}` : ''}\n`,
      )
      if (status !== 0) process.stdout.write(`${output.trim().replace(/^/gm, '      ')}\n`)
      results.push({ name: check.name, isPassed: status === 0 })
    }
  }
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work))
  return results
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(async () => {
    await checkTools()
    await ensureInstalled()
    const results = await verify()
    process.exitCode = results.every(({ isPassed }) => isPassed) ? 0 : 1
  })
}
