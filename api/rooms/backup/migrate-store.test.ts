import { expect, test } from 'vitest'
import { openObject } from '../../core/lfs/index.ts'
import { overFaulty, codeOf } from '../../core/lfs/testing.ts'
import { collect, fromChunks } from '../../stores/storage/index.ts'
import { MemoryBlobStore } from '../../stores/storage/testing/memory.ts'
import { eachDatabase, givenUser } from '../../testing.ts'
import { givenLink, givenObject, givenRepo } from '../uploads/testing.ts'
import { migrateStore } from './migrate-store.ts'

const report = () => undefined

eachDatabase('migrate-store', (world) => {
  let n = 0
  const given = async () => {
    const owner = await givenUser(world, `owner${++n}`)
    const repo = await givenRepo(world, owner, 'tiny')
    const content = await givenObject(world, owner, repo)
    await givenLink(world, repo, content)
    return { owner, repo, content }
  }

  test('copies every object, then only what has come since', async () => {
    const { owner, repo, content } = await given()
    const to = new MemoryBlobStore()
    const first = await migrateStore(world.ctx(), to, report)
    expect(first).toMatchObject({ objects: first.copied, damaged: [] })
    await given()
    const second = await migrateStore(world.ctx(), to, report)
    expect(second.copied).toBe(second.objects - first.objects)
    expect(await migrateStore(world.ctx(), to, report)).toMatchObject({ copied: 0, bytes: 0 })
    const moved = { ...world.ctx(owner), blobs: to }
    const object = await openObject(moved, repo.id, content.sha256)
    expect(await collect(await object.open(), 10_000)).toEqual(content.bytes)
  })

  test('goes on after a failure of the store', async () => {
    await given()
    const to = new MemoryBlobStore()
    let reads = 0
    const failing = overFaulty(world.ctx(), ({ operation }) =>
      operation === 'read' && ++reads === 2 ? { type: 'before', kind: 'transient' } : undefined,
    )
    expect(await codeOf(migrateStore(failing, to, report))).not.toBe('ok')
    const { objects } = await migrateStore(world.ctx(), to, report)
    const there = []
    for await (const { key } of to.list('')) there.push(key)
    expect(there).toHaveLength(objects)
  })

  test('takes along nothing that has changed on the disk, and says so', async () => {
    const { content, owner, repo } = await given()
    const key = (await openObject(world.ctx(owner), repo.id, content.sha256)).key() ?? ''
    await world.blobs.delete(key)
    await world.blobs.put(key, fromChunks(Buffer.alloc(content.sizeBytes)))
    const to = new MemoryBlobStore()
    expect((await migrateStore(world.ctx(), to, report)).damaged).toMatchObject([{ key }])
    expect(await to.stat(key)).toBeUndefined()
  })
})
