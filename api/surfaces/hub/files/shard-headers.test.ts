import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import { givenCommit } from '../../../rooms/content/testing.ts'
import { eachDatabase, givenRepo, givenUser } from '../../../testing.ts'
import { hubOver, type HubClient } from '../testing.ts'

/** A safetensors file of one F32 tensor. */
function shard(name: string, values: number, header: object = {}): Buffer {
  const json = JSON.stringify({
    __metadata__: { format: 'pt' },
    [name]: { dtype: 'F32', shape: [values], data_offsets: [0, 4 * values] },
    ...header,
  })
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(Buffer.byteLength(json)))
  return Buffer.concat([length, Buffer.from(json), Buffer.alloc(4 * values)])
}

const indexOf = (weight_map: Record<string, string>) =>
  Buffer.from(JSON.stringify({ metadata: { total_size: 28 }, weight_map }))

eachDatabase('headers of a sharded model', (world) => {
  let owner: UserActor
  let hub: HubClient
  let visitor: HubClient
  beforeAll(async () => {
    owner = await givenUser(world, 'ada')
    const { as, visitor: stranger } = hubOver(world)
    hub = await as(owner)
    visitor = stranger
  })

  async function given(files: Record<string, Buffer>, visibility: 'public' | 'private' = 'private') {
    const repo = await givenRepo(world, owner, { visibility })
    const operations = Object.entries(files).map(([path, bytes]) => ({
      op: 'add' as const,
      path,
      content: bytes,
    }))
    await givenCommit(world, owner, repo, operations)
    return `/api/models/ada/${repo.name}/safetensors-metadata/`
  }

  test('come in one answer, also from a folder', async () => {
    const weights = { 'a.weight': 'm-1.safetensors', 'b.weight': 'm-2.safetensors' }
    const path = await given({
      'x/model.safetensors.index.json': indexOf(weights),
      'x/m-1.safetensors': shard('a.weight', 3),
      'x/m-2.safetensors': shard('b.weight', 4),
    })
    const { status, body } = await hub.get(`${path}x/model.safetensors.index.json`)
    expect([status, body]).toEqual([
      200,
      {
        index: { metadata: { total_size: 28 } },
        headers: {
          'm-1.safetensors': {
            __metadata__: { format: 'pt' },
            'a.weight': { dtype: 'F32', shape: [3], data_offsets: [0, 12] },
          },
          'm-2.safetensors': {
            __metadata__: { format: 'pt' },
            'b.weight': { dtype: 'F32', shape: [4], data_offsets: [0, 16] },
          },
        },
      },
    ])
    expect((await visitor.get(`${path}x/model.safetensors.index.json`)).status).toBe(401)
  })

  test('are refused with the reason where a shard is missing or damaged', async () => {
    const index = indexOf({ a: 'm-1.safetensors', b: 'm-2.safetensors' })
    const first = shard('a', 3)
    const cases: [Record<string, Buffer>, number, RegExp][] = [
      [{ 'm-1.safetensors': first }, 404, /m-2\.safetensors/],
      [
        { 'm-1.safetensors': first, 'm-2.safetensors': first.subarray(0, 40) },
        400,
        /m-2\.safetensors is damaged/,
      ],
    ]
    for (const [files, status, reason] of cases) {
      const path = await given({ 'model.safetensors.index.json': index, ...files })
      const answer = await hub.get(`${path}model.safetensors.index.json`)
      expect([answer.status, JSON.stringify(answer.body)]).toEqual([status, expect.stringMatching(reason)])
    }
  })

  test('need an index', async () => {
    const path = await given({ 'model.safetensors': shard('a', 1), 'config.json': Buffer.from('{}') })
    for (const [name, status] of [
      ['model.safetensors.index.json', 404],
      ['model.safetensors', 400],
      ['config.json', 400],
    ] as const)
      expect((await hub.get(path + name)).status).toBe(status)
  })
})
