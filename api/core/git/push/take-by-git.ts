import type { Git } from '../git.ts'
import { GitFailed } from '../runner/runner.ts'
import type { Spooled } from '../runner/spool.ts'
import { weigh } from './weigh.ts'

/** What git finds in old histories of other hubs, and nothing depends on (git-storage.md §6.5). */
const OLD_FAULTS = ['zeroPaddedFilemode', 'missingSpaceBeforeDate']
/** What a mirror keeps as its upstream has it: to write it well would be another commit. */
const MIRRORED_FAULTS = [...OLD_FAULTS, 'missingEmail', 'missingNameBeforeEmail', 'missingSpaceBeforeEmail']

/** The faults that the check of all that is stored passes over. */
export const KEPT_FAULTS: readonly string[] = MIRRORED_FAULTS

/** Whose commits a pack has: those of a person who can write them well, or of an upstream. */
export type PackOrigin = 'person' | 'upstream'

const strict = (origin: PackOrigin) =>
  `--strict=${(origin === 'upstream' ? MIRRORED_FAULTS : OLD_FAULTS).map((id) => `${id}=ignore`).join(',')}`
/** Larger blobs are hashed as a stream, in bounded memory. */
const BIG_FILE = 'core.bigFileThreshold=32m'

const MIN_ALLOC_BYTES = 64 * 1024 * 1024
/** Blobs this much too large are still taken in, so that they can be named. */
const MAX_BLOBS = 4
// index-pack keeps some 100 bytes of each object, and no object takes less than 9 of the pack.
const ALLOC_PER_PACKED_BYTE = 14
/** Of 5 million objects. */
const MAX_LIST_BYTES = 640 * 1024 * 1024

/** Inflated, all objects of a push may take this many times what its pack may (reliability.md §7). */
export const MAX_INFLATION = 4

/** A pack that git does not take. `message` is for the person who pushes; it holds nothing of this machine. */
export class PackRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'PackRefused'
  }
}

/**
 * Has git take a pack into the repository `dir`, with its strict checks of every object; answers its SHA-1. What is
 * declared larger than the pack could honestly hold is refused before git has memory for it, and git is ended as soon as
 * the pack turns out to inflate to too much. Throws `PackRefused`.
 */
export async function takeByGit(
  git: Git,
  dir: string,
  pack: Spooled,
  { signal, origin }: { signal: AbortSignal; origin: PackOrigin },
): Promise<string | undefined> {
  const args = ['-c', BIG_FILE, 'index-pack', '--stdin', '--fix-thin', strict(origin)]
  const largest = Math.max(MIN_ALLOC_BYTES, MAX_BLOBS * git.deps.config.git.max_blob_size)
  const allocBytes = largest + Math.min(MAX_LIST_BYTES, ALLOC_PER_PACKED_BYTE * pack.sizeBytes)
  const said = await whileItIsLight(git, pack, signal, (until) =>
    git.runner
      .run({ dir, args, kind: 'pack', stdin: pack.open(), signal: until, allocBytes })
      .catch((error: unknown) => {
        throw error instanceof GitFailed && error.code > 0 ? new PackRefused(reasonOf(error.stderr)) : error
      }),
  )
  return /^pack\t([0-9a-f]{40})$/m.exec(said.toString('latin1'))?.[1]
}

/** Runs git beside the scales, either of which ends the other when it refuses the pack. */
async function whileItIsLight<T>(
  git: Git,
  pack: Spooled,
  signal: AbortSignal,
  run: (until: AbortSignal) => Promise<T>,
): Promise<T> {
  const maxBytes = MAX_INFLATION * git.deps.config.git.max_pack_size
  const refused = new AbortController()
  const until = AbortSignal.any([signal, refused.signal])
  const weighed = weigh(git, pack, maxBytes, until).then((weight) => {
    if (weight === 'too-much')
      throw new PackRefused(`the pack inflates to more than ${maxBytes} bytes, which is too much at once`)
    return weight
  })
  const refuse = (error: unknown) => refused.abort(error)
  const ran = run(until)
  ran.catch(refuse)
  weighed.catch(refuse)
  await Promise.allSettled([ran, weighed])
  if (refused.signal.aborted) throw refused.signal.reason
  // What git can read and we cannot has not been weighed.
  if ((await weighed) === 'damaged') throw new PackRefused('the pack is damaged or not complete')
  return ran
}

/** What git says of an object; other lines may name files of this machine. */
function reasonOf(stderr: string): string {
  const said = /object [0-9a-f]{40}: \w+: [^\n/]*/.exec(stderr)?.[0]
  if (said !== undefined) return said
  if (/attempting to allocate \d+ over limit/.test(stderr)) return 'the pack has an object that is too large'
  if (/unresolved delta|did not receive expected object|missing/i.test(stderr))
    return 'the pack lacks objects that it refers to'
  return 'the pack is damaged or not complete'
}
