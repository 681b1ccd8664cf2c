// The job that frees storage, while there is some of everything to be freed: commits that a deleted branch has left and
// the links to its large files; packs that an earlier run has replaced, and large files it has found unused.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { assertNothingLeft, ended, freeAll, letPass, queueGc, runGc } from '../garbage.mjs'
import { fileBytes, givenRepo, headOf, oidOf, putObject } from './asks.mjs'

/** Files of earlier rounds that are read again. */
const mostKept = 6

async function commitLarge(program, repo, { path, bytes, branch }) {
  await putObject(program, repo, bytes)
  const { oid, size } = oidOf(bytes)
  const operations = [
    { op: 'add', path, lfs: { sha256: oid, size } },
    { op: 'add', path: `${path}.txt`, text: `${path}\n` },
  ]
  await program.native('POST', `${repo.path}/commits`, { title: path, branch, operations })
}

/** A branch that is made, gets a file of its own and one that comes again in every round, and is deleted. */
async function giveUpBranch(program, repo, name, again) {
  await program.native('POST', `${repo.path}/branches`, { name, from: await headOf(program, repo) })
  await commitLarge(program, repo, { path: `${name}.bin`, bytes: randomBytes(4000), branch: name })
  await commitLarge(program, repo, { path: 'again.bin', bytes: again, branch: name })
  await program.native('DELETE', `${repo.path}/branches/${name}`)
}

async function assertKept(program, { repo, kept }) {
  for (const [path, bytes] of kept) {
    assert.deepEqual(await fileBytes(program, repo, path), bytes, path)
    assert.equal((await fileBytes(program, repo, `${path}.txt`)).toString(), `${path}\n`)
  }
}

/** Storage that is freed. */
export const gc = {
  async prepare(program, shared) {
    shared.repo ??= await givenRepo(program)
    shared.kept ??= new Map()
    shared.again ??= randomBytes(5000)
    const { repo, kept } = shared
    const n = randomBytes(4).toString('hex')
    await giveUpBranch(program, repo, `replaced-${n}`, shared.again)
    await letPass(program.place)
    await runGc(program.place)
    await giveUpBranch(program, repo, `gone-${n}`, shared.again)
    const file = { path: `kept-${n}.bin`, bytes: randomBytes(3000), branch: 'main' }
    await commitLarge(program, repo, file)
    kept.set(file.path, file.bytes)
    if (kept.size > mostKept) kept.delete(kept.keys().next().value)
    await letPass(program.place)
    return { repo, kept }
  },
  async act(program) {
    const id = await queueGc(program.place)
    const { status, problem } = await ended(program.place, id, () => program.hasDied)
    // Here the job is what is asked for, so its death is counted as that of a request.
    if (program.hasDied) throw new Error('the server died while the job ran')
    assert.equal(status, 'succeeded', JSON.stringify(problem))
  },
  async check(program, state) {
    await assertKept(program, state)
  },
  async retry(program, state) {
    // The job resumes by itself when the lease of the killed server has lapsed.
    await freeAll(program.place)
    await assertKept(program, state)
  },
  async settle(program) {
    await assertNothingLeft(program.place)
  },
}
