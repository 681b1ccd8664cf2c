// A push by git itself of a commit with a file that git keeps and one that git-lfs would.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { commitsOf, fileBytes, givenRepo, headOf, oidOf, putObject } from './asks.mjs'
import { owner } from './program.mjs'

const run = promisify(execFile)
const env = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  // Pointers are written by hand, and what is large stays on the server.
  GIT_LFS_SKIP_SMUDGE: '1',
}
const person = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'core.hooksPath=/dev/null']

async function git(folder, ...args) {
  const { stdout } = await run('git', [...person, ...args], { cwd: folder, env })
  return stdout.trim()
}

async function cloned(program, repo) {
  const folder = join(program.dir, `work-${repo.name}`)
  const url = `${program.url}/${owner}/${repo.name}`.replace('://', `://${owner}:${program.token}@`)
  await run('git', ['clone', '-q', url, folder], { env })
  return folder
}

/** A branch moved, and another made by the same push. */
export const push = {
  async prepare(program, shared) {
    shared.repo ??= await givenRepo(program)
    const { repo } = shared
    shared.folder ??= await cloned(program, repo)
    const { folder } = shared
    const n = randomBytes(4).toString('hex')
    const large = randomBytes(5000)
    await putObject(program, repo, large)
    const { oid, size } = oidOf(large)
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${size}\n`
    const files = { [`text-${n}.txt`]: Buffer.from(`text of ${n}\n`), [`large-${n}.odd`]: large }
    const [text, pointed] = Object.keys(files)
    await writeFile(join(folder, text), files[text])
    await writeFile(join(folder, pointed), pointer)
    const head = await headOf(program, repo)
    await git(folder, 'add', '-A')
    await git(folder, 'commit', '-qm', `change ${n}`)
    const sha = await git(folder, 'rev-parse', 'HEAD')
    return { repo, folder, files, head, sha, branch: `side-${n}`, count: await commitsOf(program, repo) }
  },
  async act(_, state) {
    await git(state.folder, 'push', '-q', 'origin', 'HEAD:refs/heads/main', `HEAD:refs/heads/${state.branch}`)
    state.acknowledged = true
  },
  async check(program, { repo, files, head, sha, branch, acknowledged }) {
    const now = await headOf(program, repo)
    assert.ok(now === sha || (now === head && !acknowledged), `the branch is at ${now}`)
    const { branches } = await program.native('GET', `${repo.path}/refs`)
    assert.equal(branches.find(({ name }) => name === branch)?.target_commit, now === sha ? sha : undefined)
    for (const [path, bytes] of Object.entries(files))
      assert.deepEqual(await fileBytes(program, repo, path), now === sha ? bytes : undefined, path)
  },
  async retry(program, state) {
    await this.act(program, state)
  },
  async settle(program, { repo, files, sha, count }) {
    assert.equal(await headOf(program, repo), sha)
    assert.equal(await commitsOf(program, repo), count + 1)
    for (const [path, bytes] of Object.entries(files))
      assert.deepEqual(await fileBytes(program, repo, path), bytes, path)
  },
}
