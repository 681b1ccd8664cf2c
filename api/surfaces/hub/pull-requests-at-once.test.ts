import { beforeAll, expect, test } from 'vitest'
import { add, givenCommit } from '../../rooms/content/testing.ts'
import { givenPullRequest } from '../../rooms/discussions/testing.ts'
import type { Repo } from '../../rooms/repos/index.ts'
import { eachDatabase, givenRepo, givenUser } from '../../testing.ts'
import { hubOver, type HubClient } from './testing.ts'

interface Thread {
  status: string
  changes: { mergeCommitId?: string }
}

const five = [0, 1, 2, 3, 4]

eachDatabase('pull requests of the hub surface', (world) => {
  let repo: Repo
  let mine: HubClient
  const nums: number[] = []
  beforeAll(async () => {
    const ada = await givenUser(world, 'ada')
    repo = await givenRepo(world, ada, { visibility: 'public' })
    await givenCommit(world, ada, repo, [add('a.txt', 'one\n')])
    for (let i = 0; i < 10; i++)
      nums.push(await givenPullRequest(world, ada, repo, { [`proposed/${i}`]: 'x' }))
    mine = await hubOver(world).as(ada)
  })

  const at = (path: string) => `/api/models/${repo.ns}/${repo.name}${path}`
  const commitTo = (rev: string, ...operations: unknown[]) =>
    mine.sendLines(at(`/commit/${rev}`), [{ key: 'header', value: { summary: 'Change it' } }, ...operations])
  const file = (path: string) => ({ key: 'file', value: { path, content: 'x', encoding: 'utf-8' } })
  const refs = async () => {
    const { body } = await mine.get<Record<string, { ref: string; targetCommit: string }[]>>(
      at('/refs?include_prs=1'),
    )
    return new Map(Object.values(body).flatMap((each) => each.map((ref) => [ref.ref, ref.targetCommit])))
  }
  const pathsAt = async (rev: string) => {
    const { body } = await mine.get<{ path: string }[]>(at(`/tree/${encodeURIComponent(rev)}?recursive=true`))
    return body.map(({ path }) => path)
  }

  test('of twenty who commit, open, go on and merge at once each finds their change', async () => {
    const merged = nums.slice(0, 5)
    const goingOn = nums.slice(5)
    const before = await refs()
    const [pushes, opens, more, merges] = await Promise.all([
      Promise.all(five.map((i) => commitTo('main', file(`pushed/${i}`)))),
      Promise.all(five.map((i) => commitTo('main?create_pr=1', file(`opened/${i}`)))),
      Promise.all(goingOn.map((num) => commitTo(`refs%2Fpr%2F${num}`, file(`more/${num}`)))),
      Promise.all(merged.map((num) => mine.send('POST', at(`/discussions/${num}/merge`)))),
    ])
    const all = [...pushes, ...opens, ...more, ...merges]
    expect(all.map(({ status, body }) => (status === 200 ? 200 : body))).toEqual(all.map(() => 200))
    const after = await refs()
    const history = await mine.get<{ id: string }[]>(at('/commits/main?limit=100'))
    const inMain = new Set(history.body.map(({ id }) => id))
    expect(inMain.size).toBe(12)
    expect(new Set(await pathsAt('main'))).toEqual(
      new Set([
        '.gitattributes',
        'a.txt',
        'pushed',
        'proposed',
        ...five.flatMap((i) => [`pushed/${i}`, `proposed/${i}`]),
      ]),
    )
    for (const { body } of pushes) expect(inMain).toContain(body['commitOid'])
    for (const num of merged) {
      const { body } = await mine.get<Thread>(at(`/discussions/${num}`))
      expect(body.status).toBe('merged')
      expect(inMain).toContain(body.changes.mergeCommitId)
      expect(after.get(`refs/pr/${num}`)).toBe(before.get(`refs/pr/${num}`))
    }
    for (const [i, num] of goingOn.entries()) {
      expect(after.get(`refs/pr/${num}`)).toBe(more[i]?.body['commitOid'])
      expect(await pathsAt(`refs/pr/${num}`)).toEqual(
        expect.arrayContaining([`proposed/${i + 5}`, `more/${num}`]),
      )
    }
    const opened = opens.map(({ body }) => Number(/\d+$/.exec(String(body['pullRequestUrl']))?.[0]))
    expect(opened.toSorted((a, b) => a - b)).toEqual(five.map((i) => nums.length + 1 + i))
    for (const [i, num] of opened.entries())
      expect(after.get(`refs/pr/${num}`)).toBe(opens[i]?.body['commitOid'])
  })

  test('a commit with create_pr leaves a row and a ref, and its base where it was', async () => {
    const before = await refs()
    const { body } = await commitTo('main?create_pr=1', file('b.txt'))
    const num = Number(/\d+$/.exec(String(body['pullRequestUrl']))?.[0])
    const { q, t } = world.db
    const rows = await q.select().from(t.discussions)
    expect(rows.find((row) => row.num === num)).toMatchObject({
      kind: 'pull_request',
      status: 'open',
      title: 'Change it',
      base_ref: 'refs/heads/main',
    })
    const after = await refs()
    expect(after.get(`refs/pr/${num}`)).toBe(body['commitOid'])
    expect(after.get('refs/heads/main')).toBe(before.get('refs/heads/main'))
    expect(after.size).toBe(before.size + 1)
  })

  test.each([
    [
      'changes nothing',
      'main',
      { key: 'file', value: { path: 'a.txt', content: 'one\n', encoding: 'utf-8' } },
      400,
    ],
    ['takes away what is not there', 'main', { key: 'deletedFile', value: { path: 'none.txt' } }, 404],
    ['leaves the repo by its path', 'main', file('../x'), 422],
    ['names a large file that was never sent', 'main', missing('large.bin'), 400],
    ['has no base', 'nowhere', file('b.txt'), 404],
  ])(
    'a commit with create_pr that %s opens nothing and draws no number',
    async (_, base, operation, status) => {
      const state = async () => {
        const { q, t } = world.db
        const counters = await q.select().from(t.discussion_counters)
        return [await refs(), await q.$count(t.discussions), await q.$count(t.discussion_events), counters]
      }
      const before = await state()
      expect((await commitTo(`${base}?create_pr=1`, operation)).status).toBe(status)
      expect(await state()).toEqual(before)
    },
  )
})

function missing(path: string) {
  return { key: 'lfsFile', value: { path, algo: 'sha256', oid: 'ab'.repeat(32), size: 10 } }
}
