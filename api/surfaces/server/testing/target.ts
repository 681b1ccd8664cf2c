import type { RepoType } from '../../../../shared/vocabulary.ts'
import type { UserActor } from '../../../core/access/index.ts'
import { addItem } from '../../../rooms/collections/index.ts'
import { createBranchRule } from '../../../rooms/content/branch-rules/change-rules.ts'
import { createLabel } from '../../../rooms/discussions/labels/change-labels.ts'
import { createBranch, createTag, createZip, zipExport } from '../../../rooms/content/index.ts'
import { add, givenCommit } from '../../../rooms/content/testing.ts'
import { newId } from '../../../stores/db/index.ts'
import { attachmentPath } from '../../../rooms/discussions/attachments/address.ts'
import { uploadAttachment } from '../../../rooms/discussions/attachments/upload.ts'
import { comment } from '../../../rooms/discussions/index.ts'
import { runJobs } from '../../../core/jobs/testing.ts'
import { createAccessRequest } from '../../../rooms/repos/people/access-requests.ts'
import { likeRepo, type Repo } from '../../../rooms/repos/index.ts'
import { fromChunks } from '../../../stores/storage/index.ts'
import { givenRepo, type World } from '../../../testing.ts'
import { planUploads } from '../../../rooms/uploads/plan.ts'
import { storeObject } from '../../../rooms/uploads/receive/store-object.ts'
import { nativeBase } from '../../../core/http/surface.ts'
import { imageText } from './base-request.ts'
import { givenTalk, givenTold, sha256Of, talk, type Scene } from './scene.ts'

/** What requests are about: a repo's address, and the ids of what belongs to the repo. */
export interface Target {
  ns: string
  name: string
  /** 40-hex of its head. */
  sha: string
  jobId: string
  uploadId: string
  accessRequestId: string
  commentId: string
  /** Of a comment on a line of the pull request. */
  reviewId: string
  branchRuleId: string
  labelId: string
  /** Name of an image that a comment shows, as its address has it. */
  image: string
  /** Tells of it. */
  webhook: Scene['webhook']
  /** A public collection that it is in, and an item beside it. */
  collection: Scene['collection']
  /** SHA-256 of a large file of its. */
  oid: string
  /** The query that signs the address of its archive. */
  exportQuery: string
}

/** A request as anybody may send it. */
export interface Ask {
  method: string
  /** With the query. */
  path: string
  headers: Record<string, string>
  body?: string
}

/** The target of requests while nothing is at the address. */
export function absentTarget(
  world: World,
  { owner, collection }: Pick<Scene, 'owner' | 'collection'>,
  name: string,
): Target {
  const jobId = newId()
  return {
    ns: owner.username,
    name,
    collection,
    sha: '1'.repeat(40),
    jobId,
    uploadId: newId(),
    accessRequestId: newId(),
    commentId: newId(),
    reviewId: newId(),
    branchRuleId: newId(),
    labelId: newId(),
    image: `${newId()}.gif`,
    webhook: { id: newId(), deliveryId: newId() },
    oid: sha256Of('nothing that is stored'),
    exportQuery: signedQuery(world, jobId),
  }
}

/** The query of the address a finished archive is linked by. */
function signedQuery({ deps: { secrets, config }, clock }: World, jobId: string): string {
  const address = `${config.server.public_url}${nativeBase}/exports/${jobId}`
  return new URL(secrets.signUrl('GET', address, new Date(clock.now.getTime() + 600_000))).search.slice(1)
}

/** An image that a comment in the repo's first thread shows; its name in its address. */
async function givenImage(world: World, owner: UserActor, repo: Repo): Promise<string> {
  const ctx = world.ctx(owner)
  const image = await uploadAttachment(ctx, fromChunks(Buffer.from(imageText)), undefined)
  const path = attachmentPath(image)
  await comment(ctx, repo, Number(talk.discussion), `![](${path})`)
  return path.slice('/uploads/'.length)
}

/** A repo of the owner's at an address that answers as one of a public repo would, and all that can belong to it. */
export async function givenTarget(
  world: World,
  { owner, stranger, collection }: Pick<Scene, 'owner' | 'stranger' | 'collection'>,
  type: RepoType,
  name: string,
): Promise<{ repo: Repo; target: Target }> {
  const ctx = world.ctx(owner)
  const repo = await givenRepo(world, owner, { type, name, visibility: 'public', gated: 'manual' })
  const request = await createAccessRequest(world.ctx(stranger), repo, {})
  await likeRepo(ctx, repo, true)
  const text = `large file of ${repo.id}`
  const object = { sha256: sha256Of(text), sizeBytes: text.length }
  await storeObject(ctx, { repoId: repo.id, userId: owner.id }, object, fromChunks(Buffer.from(text)))
  const pointer = { op: 'add-lfs' as const, path: 'large.bin', ...object }
  const { commit } = await givenCommit(world, owner, repo, [
    add('data/train.csv'),
    add('data'.repeat(2)),
    pointer,
  ])
  await createBranch(ctx, repo, { name: 'draft', via: 'api' })
  await createTag(ctx, repo, { name: 'v1', revision: 'main', via: 'api' })
  const { commentId, review } = await givenTalk(world, owner, repo)
  const planned = { path: 'more.bin', sizeBytes: 20_000_000, sha256: sha256Of(repo.id), isLfs: true }
  const [plan] = await planUploads(ctx, repo, [planned])
  await addItem(ctx, collection, { item: repo })
  const { id: jobId } = await createZip(ctx, repo, {})
  await runJobs(world.deps, [zipExport])
  const target: Target = {
    ns: repo.ns,
    name,
    collection,
    sha: commit,
    jobId,
    uploadId: plan?.mode === 'upload' ? plan.upload.id : '',
    accessRequestId: request.id,
    commentId,
    reviewId: review.id,
    branchRuleId: (await createBranchRule(ctx, repo, { pattern: 'release/*' })).id,
    labelId: (await createLabel(ctx, repo, { name: 'bug', color: 'red' })).id,
    image: await givenImage(world, owner, repo),
    webhook: await givenTold(world, owner, repo),
    oid: object.sha256,
    exportQuery: signedQuery(world, jobId),
  }
  return { repo, target }
}
