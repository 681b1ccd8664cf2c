// Prints the SHA-256 of a file of a model repo: `node download.mjs <client> <hub> <token> <repo> <path>`.
import { createHash } from 'node:crypto'

const [client, hubUrl, accessToken, repo, path] = process.argv.slice(2)
const { downloadFile } = await import(client)
const file = await downloadFile({ hubUrl, accessToken, repo, path })
const bytes = Buffer.from(await file.arrayBuffer())
process.stdout.write(createHash('sha256').update(bytes).digest('hex'))
