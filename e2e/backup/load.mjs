// Clients that write all the time and record what the server acknowledged.
import { createHash, randomBytes } from 'node:crypto'

/** One commit of one file by the hub's protocol. */
async function commitFile({ url, repo, token }, path, bytes) {
  const lines = [
    { key: 'header', value: { summary: `Add ${path}` } },
    { key: 'file', value: { path, content: bytes.toString('base64'), encoding: 'base64' } },
  ]
  const answer = await fetch(`${url}/api/models/${repo}/commit/main`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/x-ndjson' },
    body: lines.map((line) => JSON.stringify(line)).join('\n'),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`commit of ${path}: ${answer.status} ${text}`)
}

/** Commits to `repo` until `stop`. Answers { acknowledged, stop }: path → SHA-256. */
export function keepCommitting(where) {
  const acknowledged = new Map()
  let isOver = false
  const writing = (async () => {
    // oxlint-disable-next-line no-unmodified-loop-condition -- `stop` ends it
    for (let n = 0; !isOver; n++) {
      const bytes = randomBytes(2000)
      await commitFile(where, `load/${n}.bin.txt`, bytes)
      acknowledged.set(`load/${n}.bin.txt`, createHash('sha256').update(bytes).digest('hex'))
    }
  })()
  const stop = async () => {
    isOver = true
    await writing
  }
  return { acknowledged, stop, failed: writing }
}
