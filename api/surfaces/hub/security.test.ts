import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { call, pickle } from '../../core/scanning/testing/pickles.ts'
import { add, givenCommit } from '../../rooms/content/testing.ts'
import type { Repo } from '../../rooms/repos/index.ts'
import { givenFiles, scanDue } from '../../rooms/scans/testing.ts'
import { eachDatabase, givenRepo, givenUser } from '../../testing.ts'
import { hubOver, type HubClient } from './testing.ts'

type Row = Record<string, unknown>
const unscanned = { status: 'unscanned' }

eachDatabase('safety on the hub surface', (world) => {
  const at = '/api/models/ada/bert'
  const evil = call('os', 'system')
  let ada: UserActor
  let repo: Repo
  let mine: HubClient

  beforeAll(async () => {
    ada = await givenUser(world, 'ada')
    repo = await givenRepo(world, ada, { name: 'bert' })
    mine = await hubOver(world).as(ada)
    await givenFiles(world, ada, repo, { 'bad.pkl': evil, 'odd.pkl': call('sklearn.svm', 'SVC') })
    await givenFiles(world, ada, repo, { 'big.bin': pickle(evil, 'big') }, { large: true })
    await givenCommit(world, ada, repo, [add('docs/a.txt')])
  })

  const statusOf = async (path: string) => {
    const { body } = await mine.send<Row[]>('POST', `${at}/paths-info/main`, { paths: [path], expand: true })
    return body[0]?.['securityFileStatus']
  }

  test('before the scan files are queued, and the scans not done', async () => {
    expect(await statusOf('bad.pkl')).toEqual({
      status: 'queued',
      avScan: unscanned,
      pickleImportScan: { status: 'queued', pickleImports: [] },
      jFrogScan: unscanned,
      protectAiScan: unscanned,
      virusTotalScan: unscanned,
    })
    expect((await mine.get(`${at}?securityStatus=true`)).body['securityRepoStatus']).toEqual({
      scansDone: false,
      filesWithIssues: [],
    })
    expect((await mine.get(`${at}/scan`)).body).toEqual({ scansDone: false, filesWithIssues: [] })
  })

  test('after it each file has its verdict in expanded answers, and in no others', async () => {
    await scanDue(world)
    expect(await statusOf('bad.pkl')).toEqual({
      status: 'unsafe',
      avScan: unscanned,
      pickleImportScan: {
        status: 'unsafe',
        pickleImports: [{ module: 'os', name: 'system', safety: 'dangerous' }],
        version: 'arsenal-scan/3',
      },
      jFrogScan: unscanned,
      protectAiScan: unscanned,
      virusTotalScan: unscanned,
    })
    const { body: tree } = await mine.get<Row[]>(`${at}/tree/main?recursive=true&expand=true`)
    const statuses = tree.map(({ path, securityFileStatus: s }) => [path, (s as Row | undefined)?.['status']])
    expect(Object.fromEntries(statuses)).toEqual({
      '.gitattributes': 'safe',
      'bad.pkl': 'unsafe',
      'big.bin': 'unsafe',
      docs: undefined,
      'docs/a.txt': 'safe',
      'odd.pkl': 'suspicious',
    })
    expect(tree.find(({ path }) => path === 'docs/a.txt')?.['securityFileStatus']).toMatchObject({
      pickleImportScan: { status: 'unscanned', pickleImports: [] },
    })
    for (const row of (await mine.get<Row[]>(`${at}/tree/main`)).body)
      expect(row).not.toHaveProperty('securityFileStatus')
  })

  test('a repo names its files that are not safe, in info, lists and by /scan', async () => {
    await scanDue(world)
    const wanted = {
      scansDone: true,
      filesWithIssues: [
        { path: 'bad.pkl', level: 'unsafe' },
        { path: 'big.bin', level: 'unsafe' },
        { path: 'odd.pkl', level: 'suspicious' },
      ],
    }
    expect((await mine.get(`${at}?securityStatus=true`)).body['securityRepoStatus']).toEqual(wanted)
    expect((await mine.get(`${at}/scan`)).body).toEqual(wanted)
    expect((await mine.get<Row[]>('/api/models?author=ada&securityStatus=true')).body).toMatchObject([
      { id: 'ada/bert', securityRepoStatus: wanted },
    ])
    expect((await mine.get(at)).body).not.toHaveProperty('securityRepoStatus')
  })

  test('strangers find no scan, as of a repo that is not there', async () => {
    const bob = await hubOver(world).as(await givenUser(world, 'bob'))
    const [hidden, absent] = [await bob.get(`${at}/scan`), await bob.get('/api/models/ada/none/scan')]
    expect([hidden.status, hidden.header('x-error-code')]).toEqual([404, 'RepoNotFound'])
    expect([absent.status, absent.body]).toEqual([hidden.status, hidden.body])
  })
})
