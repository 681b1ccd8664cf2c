import type { ByteRange, ByteSource } from '../stores/storage/index.ts'
import type { Actor } from './access/index.ts'

/** An address of a repo, as a caller wrote it. */
interface Address {
  type: 'model' | 'dataset'
  ns: string
  name: string
}

/**
 * How a read gets what other hubs have and this one has not yet. A surface that pulls through sets it on
 * its requests; the places that find something absent ask it, so that no surface has a case of its own.
 */
export interface PullThrough {
  /** Brings the repo of an address here and answers its id; `undefined` where no upstream has it for this caller. */
  repo(actor: Actor, address: Address): Promise<string | undefined>
  /** The address of the repo that upstreams know by a single name, such as `gpt2`, once it has been brought here. */
  single(actor: Actor, type: Address['type'], name: string): Promise<Address | undefined>
  /**
   * Brings a branch, tag or commit of a mirror here, or looks whether the one that is here has moved. Answers whether the
   * refs of the repo have changed.
   */
  revision(actor: Actor, repoId: string, revision: { name: string; isHere: boolean }): Promise<boolean>
  /** Large files of a mirror whose bytes are not here, readable while they arrive; those alone that may be brought. */
  objects(actor: Actor, repoId: string, sha256s: readonly string[]): Promise<Map<string, ArrivingObject>>
}

/** A large file whose bytes are at an upstream. */
export interface ArrivingObject {
  sizeBytes: number
  open(range?: ByteRange, signal?: AbortSignal): Promise<ByteSource>
}
