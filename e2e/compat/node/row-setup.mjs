// What the tests of rows share: the client, what it acts on, and small steps.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rowTests } from '../../fixtures/rows.mjs'

const entry = new URL(process.env.HUB_CLIENT, 'file:')
export const hub = await import(entry.href)
export const { version } = JSON.parse(readFileSync(new URL('../package.json', entry), 'utf8'))
export const { ARSENAL_URL: hubUrl, ARSENAL_USER: owner } = process.env
const { ARSENAL_TOKEN: accessToken, ARSENAL_LOG: log, ARSENAL_OTHER_TOKEN: otherToken } = process.env
/** A test that proves rows, by this client. */
export const row = rowTests(`@huggingface/hub ${version}`, () => readFileSync(log, 'utf8'))
export const on = { hubUrl, accessToken }
/** As another person. */
export const asOther = { hubUrl, accessToken: otherToken }
export const newName = () => `${owner}/row-${randomBytes(4).toString('hex')}`

export async function all(iterable) {
  const items = []
  for await (const item of iterable) items.push(item)
  return items
}

export const upload = (repo, files, more = {}) =>
  hub.uploadFiles({
    ...on,
    repo,
    useXet: false,
    files: Object.entries(files).map(([path, data]) => ({ path, content: new Blob([data]) })),
    ...more,
  })

export async function givenRepo(type, files) {
  const repo = { type, name: newName() }
  await hub.createRepo({ ...on, repo, private: false, license: 'mit' })
  if (files) await upload(repo, files)
  return repo
}

/** What the client has no call for. */
export async function plain(method, path, body) {
  const headers = { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' }
  const request = { method, headers, body: JSON.stringify(body) }
  const answer = await fetch(`${hubUrl}${path}`, request)
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`)
}
