import { appendFileSync } from 'node:fs'
import type { Deps } from '../../../api/core/ctx.ts'
import { Git } from '../../../api/core/git/index.ts'
import type { BlobStore, ByteSource } from '../../../api/stores/storage/index.ts'

/** Where to die: at the n-th step that is counted from now on, before or after its effect, or in its midst. */
export interface CrashPlan {
  n: number
  when: 'before' | 'during' | 'after'
}

/** Steps of a process, at one of which it kills itself as `kill -9` would: nothing is closed, nothing written. */
export class CrashPoints {
  readonly #traceFile: string
  #plan: CrashPlan | undefined
  #count = 0

  /** The last step is noted in `traceFile`. */
  constructor(traceFile: string) {
    this.#traceFile = traceFile
  }

  /** Begins to count; `undefined` ends it. */
  arm(plan: CrashPlan | undefined): void {
    this.#plan = plan
    this.#count = 0
  }

  /** Takes a step. `work` calls `midst` once its effect is prepared and not yet there. */
  async step<T>(name: string, work: (midst: () => void) => Promise<T>): Promise<T> {
    const n = ++this.#count
    const die = (when: CrashPlan['when']) => {
      if (this.#plan?.n !== n || this.#plan.when !== when) return
      appendFileSync(this.#traceFile, `${when} ${name}\n`)
      process.kill(process.pid, 'SIGKILL')
    }
    die('before')
    const result = await work(() => die('during'))
    die('after')
    return result
  }
}

async function* thenMidst(source: ByteSource, midst: () => void): ByteSource {
  yield* source
  midst()
}

/** What changes a store, with the position of the bytes among the arguments where it takes bytes. */
const effects = new Map<string | symbol, number | undefined>([
  ['put', 1],
  ['delete', undefined],
  ['copy', undefined],
  ['create', undefined],
  ['putPart', 3],
  ['complete', undefined],
  ['abort', undefined],
])

type Method = (...args: unknown[]) => unknown

/** A proxy whose methods run on the object itself; `wrapped` may put another in a method's place. */
function proxied<T extends object>(inner: T, wrapped: (name: string | symbol, method: Method) => Method): T {
  return new Proxy(inner, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? wrapped(name, value.bind(target) as Method) : value
    },
  })
}

function crashingStore(inner: BlobStore, points: CrashPoints): BlobStore {
  const counted = <T extends object>(of: T, title: string): T =>
    proxied(of, (name, method) => {
      if (!effects.has(name)) return method
      const at = effects.get(name)
      return (...args) =>
        points.step(`${title}.${String(name)}`, async (midst) =>
          method(...(at === undefined ? args : args.with(at, thenMidst(args[at] as ByteSource, midst)))),
        )
    })
  const store = counted(inner, 'blobs')
  const direct = inner.direct && counted(inner.direct, 'blobs.direct')
  return new Proxy(store, {
    get: (target, name) => (name === 'direct' ? direct : (Reflect.get(target, name) as unknown)),
  })
}

/** The same stores, with every effect on them a step. A transaction's midst is the moment before it is committed. */
export function withCrashPoints(deps: Deps, points: CrashPoints): Deps {
  const blobs = crashingStore(deps.blobs, points)
  const { write } = deps.db
  const db = proxied(deps.db, (name, method) => {
    if (name !== 'write') return method
    const crashingWrite: typeof write = (change) =>
      points.step('db.write', (midst) =>
        write.call(deps.db, async (tx) => {
          const result = await change(tx)
          midst()
          return result
        }),
      ) as ReturnType<typeof change>
    return crashingWrite as Method
  })
  const stores = { ...deps, blobs, db }
  return { ...stores, git: new Git({ ...deps.git.deps, ...stores }) }
}
