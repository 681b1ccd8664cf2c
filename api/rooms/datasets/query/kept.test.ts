import { mkdir, readdir, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ViewerPage } from '../../../../shared/viewer.ts'
import { buildApp } from '../../../app/app.ts'
import { contentOf } from '../../../core/lfs/testing.ts'
import { eachStore, givenToken, givenUser } from '../../../testing.ts'
import { givenExport, parquetOf } from '../viewer/testing.ts'

eachStore('what queries keep', (world) => {
  let made = 0
  async function given(file: Buffer) {
    const owner = await givenUser(world, `owner${++made}`)
    const repo = await givenExport(world, owner, [{ files: [file] }])
    const { secret } = await givenToken(world, owner)
    const app = buildApp(world.deps, { state: 'ready', check: async () => undefined })
    return async function filter(where: string): Promise<{ code: string | null; total: number }> {
      const place = { dataset: `${repo.ns}/${repo.name}`, config: 'default', split: 'train' }
      const answer = await app.request(`/viewer-api/filter?${new URLSearchParams({ ...place, where })}`, {
        headers: { Authorization: `Bearer ${secret}` },
      })
      const code = answer.headers.get('x-error-code')
      if (code === 'ResponseNotReady') return filter(where)
      return { code, total: ((await answer.json()) as ViewerPage).num_rows_total }
    }
  }
  const pass = (ms: number) => {
    world.clock.now = new Date(world.clock.now.getTime() + ms)
  }

  test('is the answer of a filter for five minutes', async () => {
    const filter = await given(await parquetOf('SELECT range AS id FROM range(1000)'))
    let looks = 0
    const localPath = world.blobs.localPath.bind(world.blobs)
    // Each scan asks where its files are.
    world.blobs.localPath = (key) => {
      looks++
      return localPath(key)
    }
    const scansOf = async (where: string) => {
      const before = looks
      expect(await filter(where)).toEqual({ code: null, total: 0 })
      return looks > before
    }
    try {
      expect(await scansOf('id > 2000')).toBe(true)
      expect(await scansOf('id > 2000')).toBe(false)
      expect(await scansOf('id > 3000')).toBe(true)
      pass(299_000)
      expect(await scansOf('id > 2000')).toBe(false)
      pass(1000)
      expect(await scansOf('id > 2000')).toBe(true)
      expect(await scansOf('id > 2000')).toBe(false)
    } finally {
      world.blobs.localPath = localPath
    }
  })

  test('are at most 20 GiB of copies of a bucket, and those that were used last', async () => {
    const dir = join(world.deps.config.server.data_dir, 'viewer', 'cache')
    await rm(dir, { recursive: true, force: true })
    await mkdir(dir, { recursive: true })
    const copy = async (name: string, gib: number, minutes: number) => {
      await writeFile(join(dir, name), '')
      // Takes no room: it has no blocks.
      await truncate(join(dir, name), gib * 1024 ** 3)
      const usedAt = new Date(world.clock.now.getTime() - minutes * 60_000)
      await utimes(join(dir, name), usedAt, usedAt)
    }
    const kept = async () => (await readdir(dir)).toSorted()
    const fileOf = async (rows: number) => {
      const file = await parquetOf(`SELECT range AS id FROM range(${rows})`)
      return { name: contentOf(file).sha256, filter: await given(file) }
    }
    const localPath = world.blobs.localPath.bind(world.blobs)
    // As a bucket answers, also where the store of this run is a folder.
    world.blobs.localPath = () => undefined
    try {
      await copy('a', 4, 90)
      await copy('b', 9, 11)
      await copy('c', 4, 120)
      await copy('d', 9, 60)
      const first = await fileOf(20)
      expect(await first.filter('id > 17')).toEqual({ code: null, total: 2 })
      // Of 26 GiB, the two that were unused the longest leave 18.
      expect(await kept()).toEqual([first.name, 'b', 'd'].toSorted())

      // Copies that may be open in a query stay, even above the limit.
      await copy('b', 9, 7)
      await copy('e', 9, 9)
      await copy('f', 9, 8)
      const second = await fileOf(30)
      expect(await second.filter('id > 17')).toEqual({ code: null, total: 12 })
      expect(await kept()).toEqual([first.name, second.name, 'b', 'e', 'f'].toSorted())

      // A copy that is used is the last to go.
      pass(30 * 60_000)
      expect(await first.filter('id > 18')).toEqual({ code: null, total: 1 })
      const third = await fileOf(40)
      expect(await third.filter('id > 17')).toEqual({ code: null, total: 22 })
      expect(await kept()).toEqual([first.name, second.name, third.name, 'b', 'f'].toSorted())
    } finally {
      world.blobs.localPath = localPath
    }
  })
})
