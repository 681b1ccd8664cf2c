// A built server as the upstream of another, with a repo that has small and large files.
import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { lfsFile, hubClient, textFile } from '../bench/seed.mjs'
import { startServer } from '../fixtures/server.mjs'
import { startBetween } from './between.mjs'

/** Starts both; `settings` are those of the server that mirrors. */
export async function startPair(settings = {}, options = {}) {
  const upstream = await startServer()
  const server = await startServer({ 'upstreams.near.base_url': upstream.url, ...settings }, options)
  return { upstream, server, stop: () => Promise.all([server.stop(), upstream.stop()]) }
}

/** Settings of a server that brings what is absent from its upstream, for everybody. */
export const pullingThrough = {
  'pull.pull_through.enabled': 'true',
  'pull.pull_through.min_role': 'anonymous',
}

/** As `startPair`, with a proxy between the two and an owner of repos at the upstream; `near` are the settings that name it. */
export async function startApart(settings = {}, upstreamSettings = {}) {
  const upstream = await startServer(upstreamSettings)
  const between = await startBetween(upstream.url)
  const near = { 'upstreams.near.base_url': between.url, 'upstreams.huggingface.enabled': 'false' }
  const server = await startServer({ ...near, ...settings })
  const stop = async () => {
    await server.stop()
    between.stop()
    await upstream.stop()
  }
  return { upstream, between, near, server, owner: await givenOwner(upstream), stop }
}

/** A person at the upstream, who makes repos there. */
export async function givenOwner(upstream) {
  const person = await upstream.newPerson('owner')
  const token = await person.token()
  return { ...person, secret: token, hub: hubClient(upstream.url, token) }
}

/** Sends bytes to a repo and answers the line of a commit that adds them as a large file. */
export async function givenLarge(owner, repo, path, bytes) {
  const oid = createHash('sha256').update(bytes).digest('hex')
  const { objects } = await owner.hub.batch(repo, [{ oid, size: bytes.length }])
  const { upload } = objects[0].actions ?? {}
  if (upload) {
    const answer = await fetch(upload.href, { method: 'PUT', body: bytes })
    if (!answer.ok) throw new Error(`upload: ${answer.status}`)
  }
  return lfsFile(path, oid, bytes.length)
}

/**
 * A public repo of a card, a configuration and large files; answers its name, commit and bytes by path.
 * @param {Record<string, number>} sizes
 */
export async function givenModel(
  owner,
  name,
  sizes = { 'model.bin': 3 * 2 ** 20, 'other.bin': 40 * 2 ** 20 },
) {
  const repo = `${owner.username}/${name}`
  await owner.hub.create(repo)
  const files = Object.fromEntries(Object.entries(sizes).map(([path, size]) => [path, randomBytes(size)]))
  /** @type {object[]} */
  const lines = [
    textFile('README.md', '---\nlicense: mit\n---\n# Model\n'),
    textFile('config.json', '{"model_type":"bert"}'),
  ]
  for (const [path, bytes] of Object.entries(files)) lines.push(await givenLarge(owner, repo, path, bytes))
  const { commitOid } = await owner.hub.commit(repo, 'first', lines)
  return { repo, commit: commitOid, files }
}

/** Waits until a job has ended and answers it with its files. */
export async function ended(person, id, { minutes = 2 } = {}) {
  const until = Date.now() + minutes * 60_000
  for (;;) {
    const job = await person.native('GET', `/pulls/${id}`)
    if (['succeeded', 'failed', 'cancelled'].includes(job.status)) return job
    if (Date.now() > until) throw new Error(`the job did not end: ${JSON.stringify(job)}`)
    await pause(100)
  }
}

/** A file of a repo, as a client downloads it. */
export async function download(url, repo, revision, path, headers = {}) {
  const answer = await fetch(`${url}/${repo}/resolve/${revision}/${path}`, { headers })
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}
