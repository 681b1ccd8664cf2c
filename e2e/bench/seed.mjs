// Repos and files the benchmarks work on, made through the APIs that clients use.
import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { once } from 'node:events'

/** A file of `mebibytes` random-looking bytes; answers its SHA-256. */
export async function writeFile(path, mebibytes) {
  const out = createWriteStream(path)
  const hash = createHash('sha256')
  const block = randomBytes(2 ** 20)
  for (let i = 0; i < mebibytes; i++) {
    const piece = Buffer.from(block)
    piece.writeUInt32LE(i)
    hash.update(piece)
    if (!out.write(piece)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'close')
  return hash.digest('hex')
}

/** Speaks the hub API as a client would. */
export function hubClient(url, token, type = 'model') {
  const prefix = type === 'dataset' ? 'datasets/' : ''
  const call = async (method, path, body, headers = {}) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, ...headers },
      ...(body === undefined ? {} : { body }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  return {
    create: (repo) => {
      const [organization, name] = repo.split('/')
      return call('POST', '/api/repos/create', JSON.stringify({ name, organization, type }), json)
    },
    commit: async (repo, summary, lines) => {
      const all = [{ key: 'header', value: { summary, description: '' } }, ...lines]
      const answer = await call(
        'POST',
        `/api/${type}s/${repo}/commit/main`,
        all.map((line) => JSON.stringify(line)).join('\n'),
        { 'Content-Type': 'application/x-ndjson' },
      )
      return answer.json()
    },
    batch: async (repo, objects) => {
      const body = JSON.stringify({ operation: 'upload', transfers: ['basic'], objects, hash_algo: 'sha256' })
      const answer = await call('POST', `/${prefix}${repo}.git/info/lfs/objects/batch`, body, {
        'Content-Type': 'application/vnd.git-lfs+json',
      })
      return answer.json()
    },
  }
}

const json = { 'Content-Type': 'application/json' }

export const textFile = (path, text) => ({
  key: 'file',
  value: { path, content: Buffer.from(text).toString('base64'), encoding: 'base64' },
})
export const lfsFile = (path, oid, size) => ({ key: 'lfsFile', value: { path, algo: 'sha256', oid, size } })
