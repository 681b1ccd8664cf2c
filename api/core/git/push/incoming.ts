import { join } from 'node:path'
import { Problem } from '../../../platform/problems/index.ts'
import { collect, fromChunks, type ByteSource } from '../../../stores/storage/index.ts'
import { listBrought, type Listed } from './brought-objects.ts'
import { hasDeeperDeltas, MAX_DELTA_DEPTH } from '../packs/delta-depth.ts'
import { readPack, type FinishedPack, type MadePack } from '../packs/finished-pack.ts'
import type { Git } from '../git.ts'
import { MAX_HELD_PACK_BYTES, readHeldPack, type HeldObjects } from '../packs/held-pack.ts'
import { IncomingObjects, type Peeled } from './incoming-objects.ts'
import { oidFromHex } from '../objects/oid.ts'
import type { TreeFault } from '../objects/tree-extent.ts'
import { PackWriter } from '../packs/pack-writer.ts'
import { openSkeleton, writeShallow } from '../runner/skeleton.ts'
import type { Snapshot } from '../snapshot.ts'
import type { Spooled } from '../runner/spool.ts'
import { PackRefused, takeByGit, type PackOrigin } from './take-by-git.ts'

/**
 * A push under examination: the repo as it is with the pack beside it, which no other reader sees. It goes when `use` ends.
 * `shallow`: commits whose parents are not expected, for a pack that an upstream has cut off there.
 */
export async function withIncoming<T>(
  git: Git,
  snapshot: Snapshot,
  signal: AbortSignal,
  use: (incoming: Incoming) => Promise<T>,
  shallow: ReadonlySet<string> = snapshot.shallow,
): Promise<T> {
  const incoming = new Incoming(git, snapshot, signal, shallow)
  try {
    return await use(incoming)
  } finally {
    await incoming.close()
  }
}

export class Incoming {
  readonly signal: AbortSignal
  readonly objects: IncomingObjects
  readonly #git: Git
  readonly #snapshot: Snapshot
  /** A throw-away repository for git, once there is one. */
  #repository: Promise<{ dir: string; remove: () => Promise<void> }> | undefined
  /** The objects, where no git was needed to take them in. */
  #held: HeldObjects | undefined = new Map()
  /** What its tips bring. */
  #listed: { key: string; objects: Listed[] } | undefined
  #pack: Spooled | undefined
  #origin: PackOrigin = 'person'
  #writer: PackWriter | undefined
  readonly #shallow: ReadonlySet<string>

  constructor(git: Git, snapshot: Snapshot, signal: AbortSignal, shallow: ReadonlySet<string>) {
    this.#shallow = shallow
    this.#git = git
    this.#snapshot = snapshot
    this.signal = signal
    this.objects = new IncomingObjects(snapshot.reader)
  }

  /** Removes everything. */
  async close(): Promise<void> {
    this.objects.close()
    await this.#writer?.dispose()
    await (await this.#repository)?.remove()
  }

  /** Runs git on what is there; its output as it comes. */
  async open(args: string[], stdin: ByteSource, kind: 'other' | 'fed' = 'other'): Promise<ByteSource> {
    return this.#git.runner.open({ dir: await this.#dir(), args, kind, stdin, signal: this.signal })
  }

  /**
   * Takes the pack in, completed where it is thin, with git's strict checks of every object; a small one that is clearly
   * in order without git. Answers it, or nothing when it brings nothing that is not here. Throws `PackRefused`.
   */
  async take(
    pack: Spooled,
    tips: string[],
    origin: PackOrigin = 'person',
  ): Promise<FinishedPack | undefined> {
    this.#pack = pack
    this.#origin = origin
    this.#held = await this.#hold(pack, tips)
    if (!this.#held) {
      const made = await this.#index(await this.#dir(), pack)
      if (made && (await hasDeeperDeltas(made)))
        throw new PackRefused(`the pack has chains of more than ${MAX_DELTA_DEPTH} deltas`)
      if (made) this.objects.add(made)
      return made
    }
    this.objects.hold(this.#held)
    this.#writer = new PackWriter(this.#git.store.tempDir)
    for (const { type, content } of this.#held.values()) await this.#writer.add(type, content)
    const made = await this.#writer.finish()
    return this.#isHere(made.sha1.toString('hex')) ? undefined : made
  }

  /** Why a commit must not have the tree `oid` as its root. Throws `CorruptObject` when something below it is missing. */
  treeFault(oid: string): Promise<TreeFault | undefined> {
    return this.#git.extents.faultOf(this.objects.loadTree, oidFromHex(oid), this.signal)
  }

  /** What the tips bring, where that is clear without git. */
  async list(tips: string[]): Promise<Listed[] | undefined> {
    const key = tips.join()
    if (this.#listed?.key === key) return this.#listed.objects
    return this.#held && listBrought(this.#snapshot, this.#held, tips, this.#shallow)
  }

  /** The objects of a small pack that git would surely take. */
  async #hold(pack: Spooled, tips: string[]): Promise<HeldObjects | undefined> {
    if (pack.sizeBytes > MAX_HELD_PACK_BYTES) return undefined
    const { reader } = this.#snapshot
    const held = await readHeldPack(
      await collect(pack.open(), MAX_HELD_PACK_BYTES),
      async (oid, maxBytes) => {
        const found = await reader.stat(oid)
        return found && found.sizeBytes <= maxBytes ? reader.read(oid) : undefined
      },
    )
    const listed = held && (await listBrought(this.#snapshot, held, tips, this.#shallow))
    const oids = new Set(listed?.map(({ oid }) => oid))
    for (const [oid, { content }] of held ?? []) {
      // git looks at what nothing leads to as well, and for two contents of one oid.
      const here = oids.has(oid) ? await reader.readHere(oidFromHex(oid)) : 'not reached'
      if (here === 'not reached' || (here && !here.content.equals(content))) return undefined
    }
    if (listed) this.#listed = { key: tips.join(), objects: listed }
    return listed && held
  }

  /** Where git finds the repo with the pack, which it must take in itself if it has not. */
  async #dir(): Promise<string> {
    this.#repository ??= openSkeleton(this.#git, this.#snapshot).then(async (repository) => {
      await writeShallow(repository.dir, this.#shallow)
      if (this.#held && this.#held.size > 0 && this.#pack) await this.#index(repository.dir, this.#pack)
      return repository
    })
    return (await this.#repository).dir
  }

  async #index(dir: string, pack: Spooled): Promise<MadePack | undefined> {
    return this.#made(
      dir,
      await takeByGit(this.#git, dir, pack, { signal: this.signal, origin: this.#origin }),
    )
  }

  /** A pack of what these tips need and the repo lacks, after other tips of the same push were refused. */
  async packOf(tips: string[]): Promise<FinishedPack | undefined> {
    const present = this.#snapshot.listRefs().map(({ oid }) => oid)
    const stdin = fromChunks(Buffer.from([...tips, '--not', ...present, ''].join('\n')))
    const args = ['pack-objects', '-q', '--revs', '--delta-base-offset', 'objects/pack/pack']
    const dir = await this.#dir()
    const order = { dir, args, kind: 'pack' as const, stdin, signal: this.signal }
    const said = (await this.#git.runner.run(order)).toString('latin1')
    return this.#made(dir, said.trim())
  }

  async #made(dir: string, sha1: string | undefined): Promise<MadePack | undefined> {
    if (sha1 === undefined || !/^[0-9a-f]{40}$/.test(sha1))
      throw new Problem('internal', { cause: new Error('git did not name the pack it made') })
    if (this.#isHere(sha1)) return undefined
    const pack = await readPack(join(dir, 'objects', 'pack'), sha1)
    return pack.objects === 0 ? undefined : pack
  }

  #isHere(sha1: string): boolean {
    return this.#snapshot.packs.some((pack) => pack.sha1 === sha1)
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
    const { code } = await this.#git.runner.answer(
      { dir: await this.#dir(), args, signal: this.signal },
      [0, 1],
    )
    return code === 0
  }
}
