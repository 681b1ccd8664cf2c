import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { runJobs } from '../../core/jobs/testing.ts'
import { GgufBytes, ggufFile, safetensorsFile } from '../../core/parsers/testing/samples.ts'
import { eachDatabase, givenRepo, givenUser } from '../../testing.ts'
import { add, givenCommit } from '../content/testing.ts'
import type { CommitOperation } from '../content/index.ts'
import { findReposById, listRepos, updateRepo, type Repo } from '../repos/index.ts'
import { readHead } from '../content/index.ts'
import { listDependencies } from './dependencies.ts'
import { INDEX_VERSION, indexRepo, repoIndex } from './index-job.ts'
import { describeRevision } from './metadata.ts'
import { queueReindex, repoReindex, requestReindex } from './reindex.ts'

const bytes = (path: string, content: Buffer): CommitOperation => ({ op: 'add', path, content })

const llama: CommitOperation[] = [
  add(
    'config.json',
    JSON.stringify({
      architectures: ['LlamaForCausalLM'],
      model_type: 'llama',
      max_position_embeddings: 2048,
      auto_map: { AutoModelForCausalLM: 'acme/code--modeling.Llama' },
    }),
  ),
  add('tokenizer_config.json', JSON.stringify({ chat_template: '{{ messages }}', mask_token: '<mask>' })),
  bytes(
    'model.safetensors',
    safetensorsFile({ a: { dtype: 'BF16', shape: [10, 10], data_offsets: [0, 200] } }, new Uint8Array(200)),
  ),
  add('LICENSE', 'MIT License\n\nCopyright'),
]

eachDatabase('metadata of repos', (world) => {
  let made = 0
  async function given(more = {}) {
    const owner = await givenUser(world, `owner${++made}`)
    return { owner, repo: await givenRepo(world, owner, more) }
  }
  const index = () => runJobs(world.deps, [repoIndex])
  const factsOf = async ({ id }: Repo) => {
    const { repo_heads: h, repo_tags: g } = world.db.t
    const [row] = await world.db.q.select().from(h).where(eq(h.repo_id, id))
    const tags = await world.db.q.select().from(g).where(eq(g.repo_id, id))
    return { ...row, tags: tags.map(({ tag }) => tag).toSorted() }
  }
  const queued = async ({ id }: Repo) => {
    const { jobs } = world.db.t
    const rows = await world.db.q.select().from(jobs).where(eq(jobs.repo_id, id))
    return rows.filter(({ kind, status }) => kind === repoIndex.kind && status === 'queued').length
  }

  test('follow from files once a job has read them, and lists find them', async () => {
    const { owner, repo } = await given()
    await givenCommit(world, owner, repo, llama)
    expect(await factsOf(repo)).toMatchObject({ index_status: 'pending', task: null, tags: [] })
    expect(await queued(repo)).toBe(1)
    await index()
    expect(await factsOf(repo)).toMatchObject({
      index_status: 'ready',
      index_version: INDEX_VERSION,
      task: 'text-generation',
      library: 'transformers',
      licence: 'mit',
      parameters: 100,
      context_length: 2048,
      tags: [
        'conversational',
        'custom_code',
        'license:mit',
        'llama',
        'region:us',
        'safetensors',
        'text-generation',
        'transformers',
      ],
    })
    const filters = {
      ns: owner.username,
      parameters: { min: 100, max: 100 },
      facets: { format: ['safetensors'] },
    }
    const found = await listRepos(world.ctx(owner), filters, { sort: 'parameters', limit: 5 })
    expect(found.items.map(({ id }) => id)).toEqual([repo.id])
    expect(found.facets).toMatchObject({ modality: [{ value: 'nlp', count: 1 }] })
  })

  test('of a card show at once, beside what the files say', async () => {
    const { owner, repo } = await given()
    await givenCommit(world, owner, repo, llama)
    await index()
    await givenCommit(world, owner, repo, [
      add('README.md', '---\npipeline_tag: fill-mask\nlicense: apache-2.0\n---\n'),
    ])
    expect(await factsOf(repo)).toMatchObject({
      index_status: 'pending',
      task: 'fill-mask',
      licence: 'apache-2.0',
      library: 'transformers',
      parameters: 100,
    })
    await index()
    expect(await factsOf(repo)).toMatchObject({
      index_status: 'ready',
      task: 'fill-mask',
      licence: 'apache-2.0',
    })
  })

  test.each([1.9, 3])('of a card above a text of %d MiB show as well', async (mebibytes) => {
    const { owner, repo } = await given()
    const text = 'A line of the text.\n'.repeat((mebibytes * 1024 ** 2) / 20)
    await givenCommit(world, owner, repo, [
      add('README.md', `---\npipeline_tag: fill-mask\nlicense: apache-2.0\n---\n${text}`),
    ])
    const said = { task: 'fill-mask', licence: 'apache-2.0' }
    expect(await factsOf(repo)).toMatchObject({ index_status: 'pending', ...said })
    await index()
    expect(await factsOf(repo)).toMatchObject({ index_status: 'ready', ...said })
  })

  test('of GGUF files have quants, and the words of their keys', async () => {
    const { owner, repo } = await given()
    const write = new GgufBytes()
    const text = (key: string, value: string): [string, number, Buffer] => [key, 8, write.string(value)]
    const file = ggufFile({
      keys: [
        text('general.architecture', 'llama'),
        text('general.license', 'apache-2.0'),
        text('general.base_model.0.repo_url', 'https://huggingface.co/acme/base'),
        ['llama.context_length', 4, write.u32(4096)],
      ],
      tensors: [{ name: 'a', shape: [32, 2], type: 0, offset: 0 }],
      data: 256,
    })
    await givenCommit(world, owner, repo, [bytes('m-Q4_K_M.gguf', file), bytes('m-Q8_0.gguf', file)])
    await index()
    expect(await factsOf(repo)).toMatchObject({
      task: 'text-generation',
      library: 'gguf',
      licence: 'apache-2.0',
      parameters: 64,
      context_length: 4096,
      findings: { gguf: { total: 64, architecture: 'llama', totalFileSize: file.length } },
      tags: expect.arrayContaining(['gguf', 'base_model:acme/base', 'base_model:quantized:acme/base']),
    })
    const filters = { ns: owner.username, facets: { quant: ['Q8_0'] } }
    const { facets } = await listRepos(world.ctx(owner), filters, { sort: 'name', limit: 5 })
    expect(facets.quant).toEqual([
      { value: 'Q4_K_M', count: 1 },
      { value: 'Q8_0', count: 1 },
    ])
  })

  test('are read once for several commits, and for the default branch alone', async () => {
    const { owner, repo } = await given()
    await givenCommit(world, owner, repo, [add('a')])
    await givenCommit(world, owner, repo, [add('b')])
    expect(await queued(repo)).toBe(1)
    await index()
    await givenCommit(world, owner, repo, llama, { branch: 'side' }).catch(() => undefined)
    expect(await queued(repo)).toBe(0)
    expect(await factsOf(repo)).toMatchObject({ library: null, index_status: 'ready' })
  })

  test('of an older head never take the place of a newer one', async () => {
    const { owner, repo } = await given()
    await givenCommit(world, owner, repo, llama)
    let isMoved = false
    const outcome = await indexRepo(world.ctx(), repo.id, {
      async write(change) {
        if (!isMoved) await givenCommit(world, owner, repo, [{ op: 'delete', path: 'model.safetensors' }])
        isMoved = true
        return world.db.write(change)
      },
    })
    expect(outcome).toBe('moved')
    expect(await factsOf(repo)).toMatchObject({
      index_status: 'pending',
      parameters: -1,
      indexed_commit: null,
    })
    await index()
    expect(await factsOf(repo)).toMatchObject({
      index_status: 'ready',
      parameters: -1,
      task: 'text-generation',
    })
  })

  test('follow another default branch', async () => {
    const { owner, repo } = await given()
    const { createBranch } = await import('../content/index.ts')
    await createBranch(world.ctx(owner), repo, { name: 'next', via: 'api' })
    await givenCommit(world, owner, repo, llama, { branch: 'next' })
    await index()
    const ctx = world.ctx(owner)
    await updateRepo(ctx, repo, {
      defaultBranch: { name: 'next', readHead: (of, branch) => readHead(ctx, of, branch) },
    })
    expect(await indexRepo(world.ctx(), repo.id, world.db)).toBe('indexed')
    expect(await indexRepo(world.ctx(), repo.id, world.db)).toBe('unchanged')
    expect(await factsOf(repo)).toMatchObject({ parameters: 100 })
  })

  test('damaged files leave what the others say', async () => {
    const { owner, repo } = await given()
    await givenCommit(world, owner, repo, [
      add('config.json', '{ not JSON'),
      add('model.safetensors', 'no header'),
      add('broken.gguf', 'GGUX'),
      add('README.md', '---\nlicense: [\n---\n'),
    ])
    await index()
    expect(await factsOf(repo)).toMatchObject({
      index_status: 'ready',
      parameters: -1,
      tags: ['gguf', 'region:us', 'safetensors'],
    })
  })

  test('are made once more after an upgrade, also after an interruption', async () => {
    const { owner, repo } = await given()
    const second = await givenRepo(world, owner)
    await givenCommit(world, owner, repo, llama)
    await givenCommit(world, owner, second, llama)
    await index()
    await runJobs(world.deps, [repoReindex])
    expect(await queueReindex(world.deps)).toBe(false)
    const { repo_heads: h } = world.db.t
    const forget = ({ id }: Repo) =>
      world.db.write(({ q }) =>
        q
          .update(h)
          .set({ index_version: INDEX_VERSION - 1, parameters: 1 })
          .where(eq(h.repo_id, id)),
      )
    await forget(repo)
    await forget(second)
    expect(await queueReindex(world.deps)).toBe(true)
    // One is done, then the worker dies: the next run has only the other to do.
    expect(await indexRepo(world.ctx(), repo.id, world.db)).toBe('indexed')
    await runJobs(world.deps, [repoReindex])
    for (const each of [repo, second])
      expect(await factsOf(each)).toMatchObject({ parameters: 100, index_version: INDEX_VERSION })
    const { jobs } = world.db.t
    const runs = await world.db.q.select().from(jobs).where(eq(jobs.kind, repoReindex.kind))
    expect(runs.at(-1)).toMatchObject({ status: 'succeeded', result: { done: 1, failed: 0 } })
  })

  test('of one repo are made once more on request', async () => {
    const { owner, repo } = await given()
    await givenCommit(world, owner, repo, llama)
    await index()
    await requestReindex(world.deps, repo.id)
    expect(await factsOf(repo)).toMatchObject({ index_version: 0 })
    await runJobs(world.deps, [repoReindex])
    expect(await factsOf(repo)).toMatchObject({ index_version: INDEX_VERSION, parameters: 100 })
  })

  test('of any revision can be read', async () => {
    const { owner, repo } = await given()
    const first = await givenCommit(world, owner, repo, llama)
    await givenCommit(world, owner, repo, [{ op: 'delete', path: 'model.safetensors' }])
    await index()
    expect(await describeRevision(world.ctx(owner), repo, undefined)).toMatchObject({
      status: 'ready',
      metadata: { parameters: null, task: 'text-generation' },
    })
    const old = await describeRevision(world.ctx(owner), repo, first.commit)
    expect(old).toMatchObject({
      commit: first.commit,
      metadata: { parameters: 100, library: 'transformers' },
    })
  })

  test('have the size in the name where no file counts, which lists do not narrow by', async () => {
    const { owner, repo } = await given({ name: 'tiny-1.5b' })
    await givenCommit(world, owner, repo, [add('a.txt', 'a')])
    await index()
    const estimated = async () =>
      (await describeRevision(world.ctx(owner), repo, undefined)).estimatedParameters
    expect(await estimated()).toBe(1.5e9)
    expect(await factsOf(repo)).toMatchObject({ parameters: -1 })
    await givenCommit(world, owner, repo, llama)
    await index()
    expect(await estimated()).toBeUndefined()
  })

  const card = (text: string) => [add('README.md', `---\n${text}\n---\n`)]
  const dependencies = (actor: UserActor, { type, ns, name }: Repo) =>
    listDependencies(world.ctx(actor), { type, ns, name })

  test('tell what a repo needs and what needs it, as far as the caller may see', async () => {
    const stranger = await givenUser(world, `stranger${++made}`)
    const { owner, repo: base } = await given({ visibility: 'public', name: 'Base' })
    const tuned = await givenRepo(world, owner, { name: 'tuned', visibility: 'public' })
    const secret = await givenRepo(world, owner, { name: 'secret' })
    const ns = owner.username
    await givenCommit(world, owner, tuned, [...card(`base_model: ${ns}/base\ndatasets: squad`), ...llama])
    await givenCommit(world, owner, secret, card(`base_model: ${ns}/Base\nbase_model_relation: adapter`))
    await index()
    const needs = (await dependencies(owner, tuned)).needs
    expect(needs).toEqual(
      expect.arrayContaining([
        {
          kind: 'base_model',
          relation: 'finetune',
          revision: null,
          repo: { type: 'model', ns, name: 'base' },
          isPresent: true,
        },
        expect.objectContaining({
          kind: 'dataset',
          repo: { type: 'dataset', ns: '', name: 'squad' },
          isPresent: false,
        }),
        expect.objectContaining({ kind: 'code', repo: { type: 'model', ns: 'acme', name: 'code' } }),
      ]),
    )
    expect(await dependencies(owner, base)).toMatchObject({
      children: { adapter: 1, finetune: 1, merge: 0, quantized: 0 },
    })
    expect((await dependencies(owner, base)).neededBy.map(({ repo }) => repo.name).toSorted()).toEqual([
      'secret',
      'tuned',
    ])
    world.deps.config.security.anonymous_read = true
    expect(await dependencies(stranger, base)).toMatchObject({
      neededBy: [{ kind: 'base_model', relation: 'finetune', repo: { type: 'model', ns, name: 'tuned' } }],
      children: { adapter: 0, finetune: 1 },
    })
    await updateRepo(world.ctx(owner), base, { visibility: 'private' })
    const ofStranger = (await dependencies(stranger, tuned)).needs.find(({ kind }) => kind === 'base_model')
    expect(ofStranger).toMatchObject({ isPresent: false })
    await expect(dependencies(stranger, secret)).rejects.toMatchObject({ code: 'repo-not-found' })
    expect((await findReposById(world.db, [base.id], '')).get(base.id)?.visibility).toBe('private')
    world.deps.config.security.anonymous_read = false
  })
})
