import { beforeAll, expect, test } from 'vitest'
import { add, givenCommit } from '../../rooms/content/testing.ts'
import { eachDatabase, givenRepo, givenUser, setFacts } from '../../testing.ts'
import { hubOver, type HubClient } from './testing.ts'

type Line = Record<string, unknown> & { id: string }

const card = `---
license: mit
library_name: transformers
pipeline_tag: text-generation
language: [en, no]
---
`

eachDatabase('a line of a list of the hub surface', (world) => {
  let mine: HubClient
  beforeAll(async () => {
    const ada = await givenUser(world, 'ada')
    const bert = await givenRepo(world, ada, { name: 'bert', visibility: 'public' })
    await givenCommit(world, ada, bert, [add('README.md', card), add('weights/a.txt')])
    await givenRepo(world, ada, { type: 'dataset', name: 'words', visibility: 'public' })
    const times = { updated_at: new Date(Date.UTC(2026, 0, 1)), created_at: new Date(Date.UTC(2026, 0, 3)) }
    await setFacts(world.db, bert.id, { repo: { likes: 5, downloads_30d: 1, ...times } })
    mine = await hubOver(world).as(ada)
  })

  const line = async (query: string, kind = 'models') => {
    const search = kind === 'models' ? 'bert' : 'words'
    const { body } = await mine.get<Line[]>(`/api/${kind}?search=${search}&${query}`)
    return body[0] ?? expect.fail('no line')
  }
  const least =
    '_id id author private gated disabled downloads likes tags createdAt lastModified trendingScore'.split(
      ' ',
    )
  const ofModels = [...least, 'modelId', 'pipeline_tag', 'library_name']

  test.each([
    ['', []],
    ['config=true', []],
    ['full=True', ['sha', 'siblings', 'cardData']],
    ['cardData=1', ['cardData']],
    ['blobs=true', ['sha', 'siblings']],
    ['securityStatus=true', ['securityRepoStatus']],
  ])('with %s holds the least and what was asked for', async (query, more) => {
    expect(Object.keys(await line(query)).toSorted()).toEqual([...ofModels, ...more].toSorted())
  })

  test('says what the repo is', async () => {
    expect(await line('full=true&securityStatus=true')).toMatchObject({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      author: 'ada',
      private: false,
      gated: false,
      disabled: false,
      downloads: 1,
      likes: 5,
      createdAt: '2026-01-03T00:00:00.000Z',
      lastModified: '2026-01-01T00:00:00.000Z',
      pipeline_tag: 'text-generation',
      library_name: 'transformers',
      sha: expect.stringMatching(/^[0-9a-f]{40}$/),
      siblings: [{ rfilename: '.gitattributes' }, { rfilename: 'README.md' }, { rfilename: 'weights/a.txt' }],
      cardData: { license: 'mit', language: ['en', 'no'] },
      securityRepoStatus: { scansDone: false, filesWithIssues: [] },
    })
    const { siblings } = (await line('blobs=true')) as { siblings?: object[] }
    expect(siblings?.[2]).toEqual({
      rfilename: 'weights/a.txt',
      size: 'weights/a.txt\n'.length,
      blobId: expect.stringMatching(/^[0-9a-f]{40}$/),
    })
  })

  test.each([
    ['expand=downloadsAllTime&expand=trendingScore', ['downloadsAllTime', 'trendingScore']],
    ['expand[]=sha,usedStorage', ['sha', 'usedStorage']],
    ['expand=safetensors&expand=gguf', []],
    ['expand=xetEnabled', ['xetEnabled']],
  ])('with %s holds exactly that and the ids', async (query, keys) => {
    expect(Object.keys(await line(query)).toSorted()).toEqual(['_id', 'id', ...keys].toSorted())
  })

  test('of a dataset has no fields of models', async () => {
    const keys = Object.keys(await line('expand=mainSize&expand=description', 'datasets'))
    expect(keys.toSorted()).toEqual(['_id', 'id', 'mainSize'])
    const { status } = await mine.get('/api/datasets?expand=pipeline_tag')
    expect(status).toBe(400)
  })
})
