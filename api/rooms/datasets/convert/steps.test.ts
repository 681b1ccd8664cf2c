import { execFileSync } from 'node:child_process'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { tableFromArrays, tableToIPC } from 'apache-arrow'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import type { Deps } from '../../../core/ctx.ts'
import { Execution } from '../../../core/jobs/execution.ts'
import { afterLapse } from '../../../core/jobs/outcome.ts'
import { lapsedJobs, lockLapsed, setHeld, type JobRow } from '../../../core/jobs/queries.ts'
import { claimed, runJobs } from '../../../core/jobs/testing.ts'
import { contentOf } from '../../../core/lfs/testing.ts'
import { openObject } from '../../../core/lfs/index.ts'
import { collect, fromChunks } from '../../../stores/storage/index.ts'
import { eachDatabase, givenRepo, givenUser } from '../../../testing.ts'
import { commit } from '../../content/index.ts'
import type { Repo } from '../../repos/index.ts'
import { storeObject } from '../../uploads/receive/store-object.ts'
import { readDataset } from '../facts.ts'
import { datasetConvert } from './job.ts'
import { signalChildren } from './testing.ts'

/** A tar archive as Python makes one. */
const tar = (members: Record<string, string>) =>
  execFileSync(
    'python3',
    [
      '-c',
      'import io, json, sys, tarfile\nout = io.BytesIO()\nwith tarfile.open(fileobj=out, mode="w") as t:\n  for n, c in json.load(sys.stdin).items():\n    m = tarfile.TarInfo(n); m.size = len(c); t.addfile(m, io.BytesIO(c.encode()))\nsys.stdout.buffer.write(out.getvalue())',
    ],
    { input: JSON.stringify(members) },
  )

interface Builder {
  path: string
  /** A file that was there before. */
  media?: string
  bytes: (n: number) => Buffer
  said: (row: object) => unknown
}

/** Files of each builder and what their rows say, for a number that makes them new. */
const builders: Record<string, Builder> = {
  text: {
    path: 'data.txt',
    bytes: (n) => Buffer.from(`one\nline ${n}\n`),
    said: (row) => (row as { text: string }).text,
  },
  arrow: {
    path: 'data.arrow',
    bytes: (n) => Buffer.from(tableToIPC(tableFromArrays({ n: Int32Array.from([1, n]) }), 'stream')),
    said: (row) => (row as { n: number }).n,
  },
  webdataset: {
    path: 'train.tar',
    bytes: (n) => tar({ '0.txt': 'one', '1.txt': `line ${n}` }),
    said: (row) => (row as { txt: string }).txt,
  },
  imagefolder: folderOf('1.png'),
  audiofolder: folderOf('1.wav'),
}

/** Media that a table names. */
function folderOf(media: string): Builder {
  return {
    path: 'metadata.csv',
    media,
    bytes: (n) => Buffer.from(`file_name,said\n${media},one\n${media},line ${n}\n`),
    said: (row) => (row as { said: string }).said,
  }
}

/** A run that writes neither progress nor its log, which it does by time: its steps are the same each time. */
class SteadyExecution extends Execution {
  override async progress(): Promise<void> {}
  override log(): void {}
}

eachDatabase('conversions that are killed', (world) => {
  let owner: UserActor
  let repos: Record<string, Repo>
  beforeAll(async () => {
    owner = await givenUser(world, 'owner')
    repos = {}
    for (const [builder, { media }] of Object.entries(builders)) {
      const repo = await givenRepo(world, owner, { type: 'dataset' })
      if (media !== undefined) await add(repo, media, Buffer.from('no media'))
      repos[builder] = repo
    }
    await runJobs(world.deps, [datasetConvert])
  })

  async function add(repo: Repo, path: string, content: Buffer): Promise<void> {
    const { bytes, sha256, sizeBytes } = contentOf(content)
    const object = { sha256, sizeBytes }
    await storeObject(world.ctx(owner), { repoId: repo.id, userId: owner.id }, object, fromChunks(bytes))
    const operations = [{ op: 'add-lfs' as const, path, ...object }]
    await commit(world.ctx(owner), repo, { title: 'Add data', operations, via: 'api' })
  }

  /** These stores, but that something happens before the n-th time that bytes are stored or the database is changed. */
  function withSteps(happens: (n: number) => void | Promise<void>): Deps {
    let step = 0
    const stepping = <T extends object>(store: T, watched: string): T =>
      new Proxy(store, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name, target)
          if (typeof value !== 'function') return value
          if (name !== watched) return value.bind(target) as unknown
          return async (...args: unknown[]) => {
            await happens(++step)
            return (await Reflect.apply(value, target, args)) as unknown
          }
        },
      })
    return { ...world.deps, db: stepping(world.db, 'write'), blobs: stepping(world.blobs, 'put') }
  }

  /** The next data of a builder, and the job that shows them. */
  async function change(builder: string, n: number): Promise<void> {
    const repo = repos[builder] ?? expect.fail('no repo')
    const { path, bytes } = builders[builder] ?? expect.fail('no builder')
    await add(repo, path, bytes(n))
  }
  const convertDir = () => join(world.dir, 'viewer', 'convert')
  const claim = async () => (await claimed(world.deps, datasetConvert)) ?? expect.fail('no job')
  const executed = (deps: Deps, job: JobRow) =>
    new SteadyExecution(deps, datasetConvert, job, async () => world.clock.now)

  async function exportOf(builder: string) {
    return (await readDataset(world.db, repos[builder]?.id ?? ''))?.export_commit
  }

  async function expectRows(builder: string, n: number): Promise<void> {
    const repo = repos[builder] ?? expect.fail('no repo')
    const dataset = await readDataset(world.db, repo.id)
    expect([builder, n, dataset?.status, dataset?.problem]).toEqual([builder, n, 'ready', null])
    const [file] = dataset?.configs[0]?.splits[0]?.files ?? []
    const object = await openObject(world.ctx(), repo.id, file?.sha256 ?? '')
    const bytes = await collect(await object.open(), 1 << 24)
    const rows = await parquetReadObjects({ file: new Uint8Array(bytes).buffer, compressors })
    const { said } = builders[builder] ?? expect.fail('no builder')
    const [, last] = rows.map(said)
    expect([builder, last]).toEqual([builder, builder === 'arrow' ? n : `line ${n}`])
  }

  /** The lease of the job that runs lapses, and its next attempt is due. */
  async function lapse(): Promise<void> {
    const later = () => (world.clock.now = new Date(world.clock.now.getTime() + 3_600_000))
    const now = later()
    for (const job of await lapsedJobs(world.db, now))
      await world.db.write(async (tx) => {
        const present = await lockLapsed(tx, job, now)
        if (present) await setHeld(tx, present, afterLapse(present, now))
      })
    later()
  }

  /** A worker that is killed at a step, with its child: it changes nothing from then on. Answers whether it came there. */
  async function killedAt(n: number): Promise<boolean> {
    let isOver = false
    const deps = withSteps(async (step) => {
      if (step === n) {
        isOver = true
        await signalChildren('SIGKILL')
        execution.interrupt('lease-lost')
      }
      if (isOver) throw new Error('this process has ended')
    })
    const job = await claim()
    const execution = executed(deps, job)
    await execution.run()
    // A killed process could not delete its files.
    if (isOver) await mkdir(join(convertDir(), `${job.id}-${job.attempt}-killed`), { recursive: true })
    await lapse()
    return isOver
  }

  test.each(Object.keys(builders))('of %s at any step are made by the next worker', async (builder) => {
    for (const n of [2, 3, 4]) {
      if (n === 2) await change(builder, n)
      expect(await killedAt(n)).toBe(true)
    }
    await runJobs(world.deps, [datasetConvert])
    await expectRows(builder, 2)
    expect(await readdir(convertDir())).toEqual([])
  })

  // What is before a split and behind it is the same for all builders.
  test('of text at any step before its split and behind it as well', async () => {
    await change('text', 1)
    expect(await killedAt(1)).toBe(true)
    for (let n = 5; ; n++) {
      const isReached = await killedAt(n)
      await runJobs(world.deps, [datasetConvert])
      await expectRows('text', n === 5 ? 1 : n)
      if (!isReached) break
      await change('text', n + 1)
    }
  })

  // Folders of sounds are made as those of images are.
  test.each(Object.keys(builders).filter((builder) => builder !== 'audiofolder'))(
    'of %s outlive a child once, and a worker that lost its lease changes nothing of the next one',
    async (builder) => {
      await change(builder, 200)
      let exported: string | null | undefined
      const deps = withSteps(async (step) => {
        // The second change is that of the first rows, which the child has just reported.
        if (step === 2) await signalChildren('SIGKILL')
        if (step !== 4) return
        await lapse()
        await runJobs(world.deps, [datasetConvert])
        exported = await exportOf(builder)
      })
      await executed(deps, await claim()).run()
      await expectRows(builder, 200)
      expect(exported).toMatch(/^[0-9a-f]{40}$/)
      expect(await exportOf(builder)).toBe(exported)
    },
  )

  test('by children that die twice say so, and the job is not tried again', async () => {
    await change('text', 300)
    const job = await claim()
    // Each is killed while it starts.
    const timer = setInterval(() => void signalChildren('SIGKILL'), 50)
    await executed(world.deps, job).run()
    clearInterval(timer)
    const dataset = await readDataset(world.db, repos['text']?.id ?? '')
    expect(dataset).toMatchObject({ status: 'failed', problem: { code: 'JobManagerCrashedError' } })
    expect(await claimed(world.deps, datasetConvert)).toBeUndefined()
    expect(await readdir(convertDir())).toEqual([])
  })
})
