// Kills the server at every step of a scenario, one step after another, until the scenario comes through.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** A step is met before it, in its midst and after it. */
export const allMoments = ['before', 'during', 'after']
/** More steps than any request takes. */
const mostSteps = 200

async function assertSound(program, { repo }) {
  assert.deepEqual(await program.tell({ fsck: { repoId: repo.id } }), [])
}

/** The repo as a bare repository, judged by git. */
export async function assertGitAgrees(program, repo) {
  const exportTo = join(program.dir, 'exported', `${randomUUID()}.git`)
  await program.tell({ exportTo, repoId: repo.id })
  const flags = ['fsck', '--strict', '--full', '--no-dangling', '--no-progress']
  const { stdout, stderr } = await run('git', ['-C', exportTo, ...flags])
  assert.equal(stdout + stderr, '')
  await rm(exportTo, { recursive: true })
}

/**
 * Lets the server die at one point of the scenario. Answers where it died; nothing when the request came through, also when
 * a job that it queued died then: what was acknowledged must be there all the same.
 */
async function dieAt(program, scenario, shared, plan) {
  const state = await scenario.prepare(program, shared)
  await program.idle()
  await program.tell({ arm: plan })
  // What a dying server leaves of a request: no answer, or half of one.
  const lost = await scenario.act(program, state).then(
    () => undefined,
    (error) => error,
  )
  if (!(await program.isDying(lost))) {
    if (lost) throw lost
    if (await program.disarm()) return undefined
  }
  await program.serve()
  const crash = program.lastCrash()
  try {
    await scenario.check(program, state)
    await scenario.retry(program, state)
    await scenario.settle(program, state)
    await assertSound(program, state)
    await assertGitAgrees(program, state.repo)
  } catch (error) {
    throw new Error(`killed ${crash} (step ${plan.n}): ${error.message}\n${program.log().slice(-2000)}`, {
      cause: error,
    })
  }
  return lost ? crash : undefined
}

/** Answers every point the server died at, in order. */
export async function dieEverywhere(program, scenario, moments) {
  const shared = {}
  const crashes = []
  for (let n = 1; n <= mostSteps; n++) {
    const died = []
    for (const when of moments) died.push(await dieAt(program, scenario, shared, { n, when }))
    crashes.push(...died.filter(Boolean))
    if (!died.some(Boolean)) {
      assert.deepEqual(await program.tell({ fsck: {} }), [])
      return crashes
    }
  }
  throw new Error(`the scenario takes more than ${mostSteps} steps`)
}
