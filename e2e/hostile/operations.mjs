// Every address of the server that takes a body: the native operations of its own document, and the rows of the hub.
import { readFileSync } from 'node:fs'

const base = '/api/service/v1'
const absentId = '00000000-0000-4000-8000-000000000000'
const table = JSON.parse(readFileSync(new URL('../compat/rows.json', import.meta.url), 'utf8'))
const taking = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** What git, the file store and hf-xet send bodies to; no rows name these addresses. */
const others = [
  'POST /{repo}.git/git-upload-pack',
  'POST /{repo}.git/git-receive-pack',
  'POST /{repo}.git/info/lfs/verify',
  `PUT /api/info/lfs/objects/${'a'.repeat(64)}`,
  `PUT /api/info/lfs/uploads/${absentId}/parts/1`,
  `POST /api/info/lfs/uploads/${absentId}/complete`,
  'POST /oauth/device',
  'POST /oauth/token',
  'POST /chunk-cas/v1/shards',
  `POST /chunk-cas/v1/xorbs/default/${'a'.repeat(64)}`,
  'POST /nothing/is/here',
]

/** Addresses of the repo `at.ns`/`at.repo` where they name one. */
function filled(path, at) {
  const { ns, repo: name } = at
  const repo = { type: 'models', repo: `${ns}/${name}`, slug: `${ns}/x-${absentId}`, ns, name, user: ns }
  const values = { ...repo, rev: 'main', branch: 'main', tag: 'v1', num: '1', n: '1' }
  return path.replaceAll('{type}s', 'models').replaceAll(/\{(\w+)\}/g, (_, name) => values[name] ?? absentId)
}

async function nativeOperations(url, headers, at) {
  const { paths } = await (await fetch(`${url}${base}/openapi.json`, { headers })).json()
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({
      method: method.toUpperCase(),
      // `{name}` is a repo's there.
      path: filled(base + path, at),
    })),
  )
}

function rows(at) {
  const named = table.supported.map(({ row }) => row.replace(/ · .*/, ''))
  return [...named, ...others]
    .map((row) => row.split(' '))
    .filter(([, path, ...rest]) => path?.startsWith('/') && rest.length === 0)
    .map(([method, path]) => ({ method, path: filled(path, at) }))
}

/** `{ method, path }` of all of them, each once. */
export async function operationsOf(url, headers, at) {
  const all = [...(await nativeOperations(url, headers, at)), ...rows(at)]
  const withBody = all.filter(({ method }) => taking.has(method))
  return [...new Map(withBody.map((one) => [`${one.method} ${one.path}`, one])).values()]
}
