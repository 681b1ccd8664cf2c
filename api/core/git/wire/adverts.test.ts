import { expect, test } from 'vitest'
import { eachDatabase } from '../../../testing.ts'
import { listRefs, protocolOf, receiveAdvert, uploadAdvert } from './adverts.ts'
import { pkt } from './pkt-line.ts'
import { withSkeleton } from '../runner/skeleton.ts'
import { createTag } from '../tag.ts'
import { git, givenCommit, givenEmptyRepo } from '../testing.ts'

const ada = { name: 'Ada', email: 'ada@example.org', at: new Date('2026-03-01T12:00:00Z'), tzMinutes: 0 }
const agent = 'git/test'
/** Without the name and version of its sender. */
const unsigned = (advert: Buffer) =>
  advert
    .toString()
    .replace(/^[0-9a-f]{4}(?=.*\0)/m, '')
    .replace(/ ?agent=\S+/, '')

test('the newest protocol both know is spoken', () => {
  expect(protocolOf(undefined)).toBe(0)
  expect(protocolOf('version=2')).toBe(2)
  expect(protocolOf('key:version=1')).toBe(1)
  expect(protocolOf('version=1:version=2')).toBe(2)
  expect(protocolOf('version=9')).toBe(0)
})

eachDatabase('adverts', (world) => {
  async function givenRefs() {
    const repoId = await givenEmptyRepo(world)
    const commit = await givenCommit(world, repoId, { puts: { a: '1' } })
    await givenCommit(world, repoId, { ref: 'refs/heads/b/c', puts: { b: '1' } })
    await givenCommit(world, repoId, { ref: 'refs/pr/1', base: commit, puts: { c: '1' } })
    const request = { name: 'v1', commit, message: 'first', tagger: ada, via: 'api' } as const
    await createTag(world.deps.git, await world.deps.git.openFresh(repoId), request)
    return world.deps.git.openFresh(repoId)
  }

  test('say of refs and capabilities what git says of the same repository', async () => {
    const snapshot = await givenRefs()
    const args = ['upload-pack', '--stateless-rpc', '--http-backend-info-refs', '.']
    const said = await withSkeleton(world.deps.git, snapshot, (dir) => git(dir, args))
    const ours = uploadAdvert(snapshot, 0, agent)
      .toString()
      .replace(/^.*\n0000/, '')
    expect(unsigned(Buffer.from(ours))).toBe(unsigned(said))
  })

  test('ls-refs answers as git does', async () => {
    const snapshot = await givenRefs()
    const lines = ['peel', 'symrefs', 'ref-prefix HEAD', 'ref-prefix refs/heads/', 'ref-prefix refs/tags/']
    const text = listRefs(snapshot, lines).toString()
    expect(text).toMatch(/^[0-9a-f]{44} HEAD symref-target:refs\/heads\/main\n/)
    expect(text).toMatch(/refs\/tags\/v1 peeled:[0-9a-f]{40}\n/)
    expect(text).not.toContain('refs/pr/')
    expect(listRefs(snapshot, []).toString()).toContain('refs/pr/1')
    const empty = await world.deps.git.openFresh(await givenEmptyRepo(world))
    expect(listRefs(empty, ['symrefs', 'unborn']).toString()).toBe(
      `${pkt('unborn HEAD symref-target:refs/heads/main\n')}0000`,
    )
    expect(listRefs(empty, ['symrefs']).toString()).toBe('0000')
  })

  test('before a push an empty repo says what may be sent', async () => {
    const empty = await world.deps.git.openFresh(await givenEmptyRepo(world))
    const text = receiveAdvert(empty, agent).toString()
    expect(text).toMatch(/0{40} capabilities\^\{\}\0.*report-status delete-refs side-band-64k .*atomic/)
  })
})
