import { expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import type { Deps } from '../../../core/ctx.ts'
import { Git } from '../../../core/git/index.ts'
import { findReposById, updateRepo, type ReadHead, type Repo } from '../../repos/index.ts'
import type { BlobStore } from '../../../stores/storage/index.ts'
import { FaultyBlobStore } from '../../../stores/storage/testing/faulty.ts'
import { eachDatabase, givenRepo, givenUser } from '../../../testing.ts'
import { createBranch } from '../refs/branches.ts'
import { headCheck } from '../checks.ts'
import { commit } from '../commit/commit.ts'
import { readHead } from './read-head.ts'
import { add, givenCommit } from '../testing.ts'

/** Does something else before the first bytes are put. */
class InterruptedStore extends FaultyBlobStore {
  isInterrupted = false
  readonly #interrupt: () => Promise<void>

  constructor(inner: BlobStore, interrupt: () => Promise<void>) {
    super(inner, () => undefined)
    this.#interrupt = interrupt
  }

  override async put(...args: Parameters<BlobStore['put']>) {
    if (!this.isInterrupted) {
      this.isInterrupted = true
      await this.#interrupt()
    }
    return super.put(...args)
  }
}

eachDatabase('another default branch', (world) => {
  let made = 0
  async function given() {
    const owner = await givenUser(world, `user${++made}`)
    const repo = await givenRepo(world, owner)
    await createBranch(world.ctx(owner), repo, { name: 'next', via: 'api' })
    await givenCommit(world, owner, repo, [add('a'), add('b')], { branch: 'next' })
    return { owner, repo }
  }
  const makeDefault = (owner: UserActor, repo: Repo, name: string, read: ReadHead) =>
    updateRepo(world.ctx(owner), repo, { defaultBranch: { name, readHead: read } })
  const plain: ReadHead = (repo, branch) => readHead(world.deps, repo, branch)

  /** What the check finds wrong: nothing, if the row says what the head of the default branch holds. */
  async function faults(repo: Repo): Promise<string[]> {
    const found: string[] = []
    for await (const { message } of headCheck.run(world.deps, {
      deep: false,
      repair: false,
      repoId: repo.id,
    }))
      found.push(message)
    return found
  }

  test('is counted in the change itself', async () => {
    const { owner, repo } = await given()
    expect(await makeDefault(owner, repo, 'next', plain)).toMatchObject({
      defaultBranch: 'next',
      headFiles: 3,
    })
    expect(await faults(repo)).toEqual([])
  })

  test('that moves while it is counted is counted again', async () => {
    const { owner, repo } = await given()
    let reads = 0
    const interrupted: ReadHead = async (of, branch) => {
      const write = await plain(of, branch)
      if (reads++ === 0) await givenCommit(world, owner, repo, [add('c')], { branch: 'next' })
      return write
    }
    expect(await makeDefault(owner, repo, 'next', interrupted)).toMatchObject({ headFiles: 4 })
    expect(reads).toBe(2)
    expect(await faults(repo)).toEqual([])
  })

  test('that keeps moving fails with nothing changed', async () => {
    const { owner, repo } = await given()
    let n = 0
    const moving: ReadHead = async (of, branch) => {
      const write = await plain(of, branch)
      await givenCommit(world, owner, repo, [add(`c${n++}`)], { branch: 'next' })
      return write
    }
    await expect(makeDefault(owner, repo, 'next', moving)).rejects.toMatchObject({
      code: 'temporarily-unavailable',
    })
    const found = (await findReposById(world.db, [repo.id], '')).get(repo.id)
    expect(found).toMatchObject({ defaultBranch: 'main', headFiles: 1 })
  })

  test.each(['main', 'next'])(
    'while a commit to %s is on its way, which then counts right',
    async (branch) => {
      const { owner, repo } = await given()
      const blobs = new InterruptedStore(world.blobs, async () => {
        await makeDefault(owner, repo, 'next', plain)
      })
      const git = new Git({ ...world.deps.git.deps, blobs })
      const deps: Deps = { ...world.deps, blobs, git }
      await commit({ ...world.ctx(owner), ...deps }, repo, {
        branch,
        title: 'late',
        via: 'api',
        operations: [add('late'), { op: 'delete', path: '.gitattributes' }],
      })
      expect(blobs.isInterrupted).toBe(true)
      expect(await faults(repo)).toEqual([])
      await git.close()
    },
  )
})
