import { PackQuarantined } from '../errors.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { Turns } from '../../../platform/flow/index.ts'
import type { Commit } from '../objects/objects.ts'
import { oidFromHex, type Oid } from '../objects/oid.ts'
import type { Snapshot } from '../snapshot.ts'
import { MODE, type Tree } from '../objects/tree.ts'

/** Walks everything the refs lead to and tells what is not in the live packs or cannot be read. */
export async function* closureFaults(snapshot: Snapshot, signal?: AbortSignal): AsyncGenerator<string> {
  const walk = new ClosureWalk(snapshot, signal)
  for (const ref of snapshot.listRefs()) {
    if (!(await walk.has(oidFromHex(ref.oid))))
      yield `${ref.name} names ${ref.oid}, which is in no live pack or cannot be read`
    else yield* walk.from(oidFromHex(ref.commit), ref.name)
  }
}

class ClosureWalk {
  readonly #snapshot: Snapshot
  readonly #seen = new Set<string>()
  readonly #turns: Turns

  constructor(snapshot: Snapshot, signal: AbortSignal | undefined) {
    this.#snapshot = snapshot
    this.#turns = new Turns({ signal })
  }

  async has(oid: Oid): Promise<boolean> {
    return (await attempt(this.#snapshot.reader.stat(oid))) !== undefined
  }

  async *from(start: Oid, ref: string): AsyncGenerator<string> {
    const waiting = [start]
    for (let oid = waiting.pop(); oid; oid = waiting.pop()) {
      if (!(await this.#isNew(oid))) continue
      const commit: Commit | undefined = await attempt(this.#snapshot.reader.findCommit(oid))
      if (!commit) {
        yield `commit ${oid.toString('hex')} below ${ref} is missing or unreadable`
        continue
      }
      waiting.push(...commit.parents)
      yield* this.#trees(commit.tree, oid.toString('hex'))
    }
  }

  async *#trees(root: Oid, commit: string): AsyncGenerator<string> {
    const waiting = [root]
    for (let oid = waiting.pop(); oid; oid = waiting.pop()) {
      if (!(await this.#isNew(oid))) continue
      const tree: Tree | undefined = await attempt(this.#snapshot.reader.findTree(oid))
      if (!tree) {
        yield `tree ${oid.toString('hex')} of commit ${commit} is missing or unreadable`
        continue
      }
      for (const entry of tree.entries()) {
        if (entry.mode === MODE.tree) waiting.push(entry.oid)
        else if (
          entry.mode !== MODE.gitlink &&
          (await this.#isNew(entry.oid)) &&
          !(await this.has(entry.oid))
        ) {
          yield `blob ${entry.oid.toString('hex')} (${entry.name}) of commit ${commit} is missing or unreadable`
        }
      }
    }
  }

  async #isNew(oid: Oid): Promise<boolean> {
    const key = oid.toString('latin1')
    if (this.#seen.has(key)) return false
    this.#seen.add(key)
    if (this.#turns.isOver) await this.#turns.next()
    return true
  }
}

/** Damage is what is looked for; a store that does not answer ends the walk. */
async function attempt<T>(reading: Promise<T | undefined>): Promise<T | undefined> {
  return reading.catch((error: unknown) => {
    if (error instanceof PackQuarantined) return undefined
    if (error instanceof Problem && error.code === 'internal') return undefined
    throw error
  })
}
