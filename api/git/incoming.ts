import { join } from 'node:path'
import { Problem } from '../problems/index.ts'
import { fromChunks, type ByteSource } from '../storage/index.ts'
import { hasDeeperDeltas, MAX_DELTA_DEPTH } from './delta-depth.ts'
import type { FinishedPack } from './pack-writer.ts'
import { readPack } from './finished-pack.ts'
import type { Git } from './git.ts'
import { IncomingObjects, type Peeled } from './incoming-objects.ts'
import { GitFailed } from './runner.ts'
import { withSkeleton } from './skeleton.ts'
import type { Snapshot } from './snapshot.ts'

// Old histories of other hubs trip over these two, which nothing depends on (git-storage.md §6.5).
const STRICT = '--strict=zeroPaddedFilemode=ignore,missingSpaceBeforeDate=ignore'
/** Larger blobs are hashed as a stream, in bounded memory. */
const BIG_FILE = 'core.bigFileThreshold=32m'

/** A pack that git does not take. `message` is for the person who pushes; it holds nothing of this machine. */
export class PackRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'PackRefused'
  }
}

/**
 * A push under examination: a throw-away repository that shows the Repo as it is, where the pack is taken in. Nobody
 * else sees it, and it goes when `use` ends.
 */
export async function withIncoming<T>(
  git: Git,
  snapshot: Snapshot,
  signal: AbortSignal,
  use: (incoming: Incoming) => Promise<T>,
): Promise<T> {
  return withSkeleton(git, snapshot, async (dir) => {
    const incoming = new Incoming(git, snapshot, dir, signal)
    try {
      return await use(incoming)
    } finally {
      incoming.objects.close()
    }
  })
}

export class Incoming {
  readonly dir: string
  readonly signal: AbortSignal
  readonly objects: IncomingObjects
  readonly #git: Git
  readonly #snapshot: Snapshot

  constructor(git: Git, snapshot: Snapshot, dir: string, signal: AbortSignal) {
    this.#git = git
    this.#snapshot = snapshot
    this.dir = dir
    this.signal = signal
    this.objects = new IncomingObjects(snapshot.reader)
  }

  /** Runs git on what is there; its output as it comes. */
  open(args: string[], stdin: ByteSource, kind: 'other' | 'fed' = 'other'): Promise<ByteSource> {
    return this.#git.runner.open({ dir: this.dir, args, kind, stdin, signal: this.signal })
  }

  /**
   * Takes the pack in, completed where it is thin, with git's strict checks of every object. Answers it, or nothing when
   * it brings nothing that is not here. Throws `PackRefused`.
   */
  async take(pack: ByteSource): Promise<FinishedPack | undefined> {
    const args = ['-c', BIG_FILE, 'index-pack', '--stdin', '--fix-thin', STRICT]
    const order = { dir: this.dir, args, kind: 'pack' as const, stdin: pack, signal: this.signal }
    const said = await this.#git.runner.run(order).catch((error: unknown) => {
      throw error instanceof GitFailed && error.code > 0 ? new PackRefused(reasonOf(error.stderr)) : error
    })
    const made = await this.#made(/^pack\t([0-9a-f]{40})$/m.exec(said.toString('latin1'))?.[1])
    if (made && (await hasDeeperDeltas(made)))
      throw new PackRefused(`the pack has chains of more than ${MAX_DELTA_DEPTH} deltas`)
    if (made) this.objects.add(made)
    return made
  }

  /** A pack of what these tips need and the Repo lacks, after other tips of the same push were refused. */
  async packOf(tips: string[]): Promise<FinishedPack | undefined> {
    const present = this.#snapshot.listRefs().map(({ oid }) => oid)
    const stdin = fromChunks(Buffer.from([...tips, '--not', ...present, ''].join('\n')))
    const args = ['pack-objects', '-q', '--revs', '--delta-base-offset', 'objects/pack/pack']
    const order = { dir: this.dir, args, kind: 'pack' as const, stdin, signal: this.signal }
    const said = (await this.#git.runner.run(order)).toString('latin1')
    return this.#made(said.trim())
  }

  async #made(sha1: string | undefined): Promise<FinishedPack | undefined> {
    if (sha1 === undefined || !/^[0-9a-f]{40}$/.test(sha1))
      throw new Problem('internal', { cause: new Error('git did not name the pack it made') })
    if (this.#snapshot.packs.some((pack) => pack.sha1 === sha1)) return undefined
    const pack = await readPack(join(this.dir, 'objects', 'pack'), sha1)
    return pack.objects === 0 ? undefined : pack
  }

  /** What the tips are; those that are nowhere are missing. */
  async peel(tips: string[]): Promise<Map<string, Peeled>> {
    const found = new Map<string, Peeled>()
    for (const oid of tips) {
      const peeled = await this.objects.peel(oid)
      if (peeled) found.set(oid, peeled)
    }
    return found
  }

  /** Whether the commit `from` is part of the history of `to`. */
  async isAncestor(from: string, to: string): Promise<boolean> {
    if (await this.objects.isNear(from, to)) return true
    const args = ['merge-base', '--is-ancestor', from, to]
    const { code } = await this.#git.runner.answer({ dir: this.dir, args, signal: this.signal }, [0, 1])
    return code === 0
  }
}

/** What git says of an object; other lines may name files of this machine. */
function reasonOf(stderr: string): string {
  const said = /object [0-9a-f]{40}: \w+: [^\n/]*/.exec(stderr)?.[0]
  if (said !== undefined) return said
  if (/unresolved delta|did not receive expected object|missing/i.test(stderr))
    return 'the pack lacks objects that it refers to'
  return 'the pack is damaged or not complete'
}
