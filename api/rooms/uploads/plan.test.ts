import { expect, test } from 'vitest'
import { givenContent } from '../../core/lfs/testing.ts'
import { eachDatabase } from '../../testing.ts'
import { openUploads } from './open-uploads.ts'
import { planUploads } from './plan.ts'
import { TinyRepo } from './testing.ts'

eachDatabase('a plan', (world) => {
  const tiny = new TinyRepo(world)

  test('makes an object of one byte that is marked so, and none of an empty file', async () => {
    const modeOf = async (sizeBytes: number) => {
      const { sha256 } = givenContent(sizeBytes)
      const files = [{ path: 'a.bin', sha256, sizeBytes, isLfs: true }]
      return (await planUploads(tiny.ctx(), tiny.repo, files))[0]?.mode
    }
    expect([await modeOf(1), await modeOf(0)]).toEqual(['upload', 'inline'])
  })

  test('goes on with what is under way in the same manner alone', async () => {
    const content = givenContent()
    const owner = { repoId: tiny.repo.id, userId: tiny.owner.id }
    const open = async (isDirect: boolean) => {
      const opened = await world.db.write((tx) => openUploads(tx, tiny.ctx(), owner, [content], { isDirect }))
      return [...opened.values()].map(({ id, via }) => ({
        id,
        isDirect: via !== 'server',
      }))
    }
    const [here, bucket] = [await open(false), await open(true)]
    expect([here, bucket]).toMatchObject([[{ isDirect: false }], [{ isDirect: true }]])
    expect([await open(true), await open(false)]).toEqual([bucket, here])
  })
})
