import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { allMoments, dieEverywhere } from './points.mjs'
import { Program } from './program.mjs'
import { killAtRandom } from './rounds.mjs'
import { scenarios } from './scenarios.mjs'

/**
 * What a kill is tried on: SQLite and a folder, unless `openPlace` says otherwise.
 * @type {{ name: string, openPlace?: Parameters<typeof Program.start>[1] }}
 */
const here = { name: 'SQLite and a folder' }

/** @typedef {{ at?: typeof here, moments?: string[], report?: (name: string, crashes: string[]) => void }} PointOptions */

/** Kills a server at every step of each scenario named. Figures go to `report`. */
export function testPoints(
  names,
  /** @type {PointOptions} */ { at = here, moments = allMoments, report = () => undefined } = {},
) {
  describe(`on ${at.name}: killed at any step, nothing acknowledged is lost and nothing is left by half`, () => {
    let program
    before(async () => {
      // Jobs of a killed server are taken up again after their lease.
      program = await Program.start({ 'jobs.lease': '2s' }, at.openPlace)
    })
    after(() => program?.remove())
    for (const name of names)
      test(name, async (t) => {
        const crashes = await dieEverywhere(program, scenarios[name], moments)
        t.diagnostic(`${crashes.length} points: ${crashes.join(', ')}`)
        report(name, crashes)
        assert.ok(crashes.length >= moments.length)
      })
  })
}

/**
 * Kills a busy server at random moments. Figures go to `report`.
 * @param {(figures: any) => void} report
 */
export function testRounds(rounds, minutes, report = () => undefined) {
  test(`killed ${rounds} times under load, the server keeps all that it acknowledged`, async (t) => {
    const program = await Program.start({ 'git.compact_threshold': 8 })
    try {
      const figures = await killAtRandom(program, rounds, minutes * 60_000)
      t.diagnostic(JSON.stringify(figures))
      report(figures)
      assert.equal(figures.rounds, rounds)
    } catch (error) {
      // What cannot be made again is looked at where it happened.
      await program.kill()
      t.diagnostic(`everything is left in ${program.dir}`)
      throw error
    }
    await program.remove()
  })
}
