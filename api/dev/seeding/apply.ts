import { ApiProblem, type Client, type CommitRequest, type Fetch } from '../../../shared/client.ts'
import {
  base64,
  completeUpload,
  fetchPut,
  hashBlob,
  sendParts,
  type RepoParams,
} from '../../../shared/transfer.ts'
import { seedOrg, seedRepos, type SeedRepo } from './content.ts'

/** Somebody who seeds: their client, and the headers that identify them where bytes go. */
export interface Seeder {
  username: string
  client: Client
  fetch: Fetch
  headers: Record<string, string>
}

/** Those who own what is seeded; without `bob`, alice owns his part and there is no access request. */
export interface Seeders {
  alice: Seeder
  bob?: Seeder
}

/** Makes all of `seedRepos` that is not there yet, as the people given. `report` hears each repo's name. */
export async function applySeed(people: Seeders, report: (line: string) => void): Promise<void> {
  const { alice, bob } = people
  await unless('name-taken', alice.client.createOrg({ body: seedOrg }))
  if (bob) {
    const params = { ns: seedOrg.ns, user: bob.username }
    await alice.client.setMember({ params, body: { role: 'read' } })
  }
  for (const seed of seedRepos) {
    const owner = seed.owner === 'bob' && bob ? bob : alice
    report(await seedRepo(owner, seed))
  }
  const params = { type: 'models', ns: seedOrg.ns, name: 'tiny-bert' } as const
  for (const person of [alice, bob]) await person?.client.likeRepo({ params })
  if (!bob) return
  const body = { message: 'I want to compare it with mine.' }
  const asked = bob.client.createAccessRequest({ params: { ...params, name: 'gated-llm' }, body })
  await unless('already-exists', asked)
}

async function seedRepo(owner: Seeder, { owner: kind, repo, commits, branch, tag }: SeedRepo) {
  const ns = kind === 'org' ? seedOrg.ns : owner.username
  const { client } = owner
  await unless('name-taken', client.createRepo({ body: { ...repo, ns } }))
  const params: RepoParams = { type: `${repo.type}s`, ns, name: repo.name }
  const { items: made } = await client.listCommits({ params, query: { limit: 500 } })
  for (const { title, files } of commits)
    if (!made.some((commit) => commit.title === title)) {
      const operations = await stage(owner, params, files)
      await client.createCommit({ params, body: { title, operations } })
    }
  if (branch) await unless('already-exists', client.createBranch({ params, body: { name: branch } }))
  if (tag) {
    const message = `Release ${tag}`
    await unless('already-exists', client.createTag({ params, body: { name: tag, message } }))
  }
  return `${repo.type === 'dataset' ? 'datasets/' : ''}${ns}/${repo.name}`
}

/** Uploads what is large, and answers the operations that add the files. */
async function stage(owner: Seeder, params: RepoParams, files: Record<string, string | Buffer>) {
  const described = await Promise.all(
    Object.entries(files).map(async ([path, content]) => {
      const blob = new Blob([content])
      return { path, blob, size: blob.size, sha256: await hashBlob(blob) }
    }),
  )
  const plan = await owner.client.planUploads({
    params,
    body: { files: described.map(({ path, size, sha256 }) => ({ path, size, sha256 })) },
  })
  const put = fetchPut({ fetch: owner.fetch, headers: owner.headers })
  const operations: CommitRequest['operations'] = []
  for (const [i, { path, blob, size, sha256 }] of described.entries()) {
    const { mode, upload } = plan.files[i] ?? { mode: 'inline' }
    if (upload) {
      const parts = await sendParts({ file: blob, partSize: upload.part_size, targets: upload.parts, put })
      await completeUpload(owner.client, params, upload.id, parts)
    }
    if (mode !== 'inline') operations.push({ op: 'add', path, lfs: { sha256, size } })
    else operations.push({ op: 'add', path, content: base64(new Uint8Array(await blob.arrayBuffer())) })
  }
  return operations
}

async function unless(code: string, call: Promise<unknown>): Promise<void> {
  try {
    await call
  } catch (error) {
    if (!(error instanceof ApiProblem && error.code === code)) throw error
  }
}
