import { beforeAll, expect } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { newId } from '../../stores/db/index.ts'
import { linkPointers, mayUse } from '../../core/lfs/index.ts'
import { givenContent, hours, type Content } from '../../core/lfs/testing.ts'
import { createRepo, requireRepo, type NewRepo, type Repo } from '../repos/index.ts'
import { fromChunks } from '../../stores/storage/index.ts'
import { givenToken, givenUser, type World } from '../../testing.ts'
import { directUploads, arrivalKey, beginMultiparts } from './bucket/bucket-uploads.ts'
import { putPart } from './receive/put-part.ts'
import { findUpload, insertUploads, partsOf, type UploadRow } from './queries.ts'
import { storeObject } from './receive/store-object.ts'

/** A private repo of `owner`'s, in their own namespace unless `more` says otherwise. */
export async function givenRepo(
  world: World,
  owner: UserActor,
  name: string,
  more: Partial<NewRepo> = {},
): Promise<Repo> {
  const usual = { type: 'model' as const, ns: owner.username, name, visibility: 'private' as const }
  const wanted = { ...usual, ...more }
  await createRepo(world.ctx(owner), wanted)
  return requireRepo(world.ctx(owner), wanted, 'repo.read')
}

/** An object that `owner` has uploaded to the repo. */
export async function givenObject(
  world: World,
  owner: UserActor,
  repo: Repo,
  content = givenContent(),
): Promise<Content> {
  const where = { repoId: repo.id, userId: owner.id }
  await storeObject(world.ctx(owner), where, content, fromChunks(content.bytes))
  return content
}

/** Makes a pointer to the content reachable in the repo, as a commit does. */
export async function givenLink(world: World, repo: Repo, content: Content): Promise<void> {
  const missing = await world.db.write((tx) => linkPointers(tx, repo.id, [content], world.clock.now))
  if (missing.length > 0) throw new Error('the object of the link is not stored')
}

/** An upload's row as it would be after a plan, with the changes of `more`. */
export async function givenUpload(
  world: World,
  repo: Repo,
  owner: UserActor,
  { sha256, sizeBytes }: Pick<Content, 'sha256' | 'sizeBytes'>,
  more: Partial<UploadRow> = {},
): Promise<UploadRow> {
  const [upload] = await world.db.write((tx) =>
    insertUploads(tx, [
      {
        id: newId(),
        repo_id: repo.id,
        user_id: owner.id,
        sha256,
        size: sizeBytes,
        status: 'open',
        via: 'server',
        part_size: 16 * 1024 * 1024,
        attempt: 0,
        created_at: world.clock.now,
        expires_at: new Date(world.clock.now.getTime() + hours(168)),
        ...more,
      },
    ]),
  )
  return upload ?? expect.fail('nothing inserted')
}

export const freshUpload = async (world: World, id: string): Promise<UploadRow> =>
  (await findUpload(world.db, id)) ?? expect.fail('no such upload')

/** The stored parts as a completion claims them. */
export const claimsOf = async (world: World, uploadId: string) =>
  (await partsOf(world.db, uploadId)).map(({ n, etag }) => ({ n, etag }))

const pieceOf = ({ bytes }: Content, { part_size }: UploadRow, n: number) =>
  bytes.subarray((n - 1) * part_size, n * part_size)

export const sendPart = (ctx: Ctx, upload: UploadRow, content: Content, n: number) =>
  putPart(ctx, upload, n, fromChunks(pieceOf(content, upload, n)), undefined)

/** An upload all of whose parts, of 500 bytes, are stored. */
async function givenSent(world: World, repo: Repo, owner: UserActor, content = givenContent()) {
  const upload = await givenUpload(world, repo, owner, content, { part_size: 500 })
  for (let n = 1; pieceOf(content, upload, n).length > 0; n++)
    await sendPart(world.ctx(owner), upload, content, n)
  return { content, upload, parts: await claimsOf(world, upload.id) }
}

/** A direct upload whose bytes are in the bucket, in parts of 500 where they are more, with the tags of its parts. */
export async function givenArrived(
  world: World,
  repo: Repo,
  owner: UserActor,
  { isWhole = false, ...sent }: { content?: Content; bytes?: Buffer; isWhole?: boolean } = {},
) {
  const { content = givenContent() } = sent
  const { bytes = content.bytes } = sent
  const part_size = isWhole ? content.sizeBytes : 500
  const planned = await givenUpload(world, repo, owner, content, {
    part_size,
    via: isWhole ? 'bucket-put' : 'bucket-parts',
  })
  const key = arrivalKey(planned)
  if (isWhole) {
    await world.blobs.put(key, fromChunks(bytes))
    return { content, upload: planned, parts: [{ n: 1, etag: '' }] }
  }
  const [upload = planned] = (await beginMultiparts(world.ctx(), new Map([['', planned]]))).values()
  const parts: { n: number; etag: string }[] = []
  for (let n = 1; (n - 1) * part_size < bytes.length; n++) {
    const piece = bytes.subarray((n - 1) * part_size, n * part_size)
    const { etag } = await directUploads(world).putPart(
      key,
      upload.store_upload_id ?? '',
      n,
      fromChunks(piece),
    )
    parts.push({ n, etag })
  }
  return { content, upload, parts }
}

/** A repo `owner/tiny` and who made it, there once the tests run. */
export class TinyRepo {
  owner!: UserActor
  repo!: Repo
  readonly #world: World

  constructor(world: World, more: Partial<NewRepo> = {}) {
    this.#world = world
    beforeAll(async () => {
      this.owner = await givenUser(world, 'owner')
      this.repo = await givenRepo(world, this.owner, 'tiny', more)
    })
  }

  ctx(): Ctx {
    return this.#world.ctx(this.owner)
  }

  /** Whether the owner may use an object. */
  isUsable(sha256: string): Promise<boolean> {
    return mayUse(this.#world.db, this.ctx(), sha256)
  }

  /** An upload of its own, as `givenSent`. */
  sent(content?: Content) {
    return givenSent(this.#world, this.repo, this.owner, content)
  }

  /** An object that the owner has uploaded here. */
  object(content?: Content): Promise<Content> {
    return givenObject(this.#world, this.owner, this.repo, content)
  }
}

/** The headers of a token of this user. */
export async function bearerOf(world: World, user: UserActor): Promise<Record<string, string>> {
  return { Authorization: `Bearer ${(await givenToken(world, user)).secret}` }
}
