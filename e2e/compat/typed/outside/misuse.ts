// Every line that ends in "wrong" must be refused by the compiler, and no other; `package.test.mjs` compares.
import { createClient } from '@arsenal/shared/client'
import { fileUrl, sendParts } from '@arsenal/shared/transfer'

const client = createClient({ baseUrl: 'https://hub.example.org', token: 'hf_x' })
const repo = { type: 'models', ns: 'alice', name: 'tiny' } as const

export const misuse = [
  () => client.getRepo({ params: repo }),
  () => client.getRepo(), // wrong
  () => client.getRepo({ params: { ns: 'alice', name: 'tiny' } }), // wrong
  () => client.getRepo({ params: { ...repo, type: 'model' } }), // wrong
  () => client.getRepos({ params: repo }), // wrong
  () => client.createRepo({ body: { type: 'model', ns: 'alice', name: 'tiny' } }),
  () => client.createRepo({ body: { type: 'model', ns: 'alice', name: 'tiny', hidden: true } }), // wrong
  () => client.createRepo({ body: { type: 'space', ns: 'alice', name: 'tiny' } }), // wrong
  () => client.putUploadPart({ params: { ...repo, id: 'x', n: 1 } }), // wrong
  () => client.listRepos({ query: { limit: '10' } }), // wrong
  async () => (await client.getMe()).username, // wrong
  async () => (await client.getMe())?.username,
  async () => (await client.getRepo({ params: repo })).password, // wrong
  () => fileUrl({ type: 'model', ns: 'alice', name: 'tiny' }, 'main', 'README.md'), // wrong
  () => sendParts({ file: new Blob([]), partSize: 1, targets: [] }), // wrong
]

// Without a union's required member a commit is refused as well.
export const commit = () =>
  client.createCommit({ params: repo, body: { title: 'x', operations: [{ op: 'add', pfad: 'a' }] } }) // wrong
