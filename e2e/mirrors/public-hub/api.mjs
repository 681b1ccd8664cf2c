// The JSON API of the public hub: who asks, repos, trees, paths, refs and commits.
import { text } from 'node:stream/consumers'
import { refuse, refuseUnknown, sendJson } from './answers.mjs'
import { entriesAt } from './entries.mjs'

/** Entries on a page of a tree; the public hub has 1000. */
const pageEntries = 4

const date = '2026-01-02T03:04:05.000Z'

export async function answerApi(hub, asked) {
  const { response, url, hasToken } = asked
  if (url.pathname === '/api/whoami-v2') {
    if (!hasToken) return refuse(response, 401, undefined, 'Invalid username or password.')
    return sendJson(response, { type: 'user', id: '6', name: 'ada', auth: { type: 'access_token' } })
  }
  const [, type, name, kind, rest = ''] =
    /^\/api\/(models|datasets)\/([^/]+\/[^/]+)(?:\/(revision|tree|paths-info|refs|commits)(?:\/(.+))?)?$/.exec(
      url.pathname,
    ) ?? []
  const repo = type === 'datasets' ? `datasets/${name}` : name
  if (name === undefined || !(await hub.resolve(repo, 'main').then(Boolean))) return refuseUnknown(asked)
  if (kind === 'refs') return sendJson(response, await refsOf(hub, repo))
  const [revision, ...path] = rest.split('/').map(decodeURIComponent)
  const sha = await hub.resolve(repo, revision || 'main')
  if (sha === undefined) return refuse(response, 404, 'RevisionNotFound', `Invalid rev id: ${revision}`)
  if (kind === 'commits') return sendJson(response, [await commitOf(hub, repo, sha)])
  const entries = await entriesAt(hub, repo, sha)
  if (kind === 'tree') return answerTree(asked, entries, path.join('/'))
  if (kind === 'paths-info') return answerPaths(asked, entries)
  return sendJson(
    response,
    infoOf(hub, { repo, name, sha, entries, hasBlobs: url.searchParams.has('blobs') }),
  )
}

function infoOf(hub, { repo, name, sha, entries, hasBlobs }) {
  const siblings = entries
    .filter(({ type }) => type === 'file')
    .map(({ path, oid, size, lfs }) => ({
      rfilename: path,
      ...(hasBlobs && { blobId: oid, size }),
      ...(hasBlobs && lfs && { lfs: { sha256: lfs.oid, size: lfs.size, pointerSize: lfs.pointerSize } }),
    }))
  return {
    _id: '6790f3d1b1c2a34d5e6f7a8b',
    id: name,
    modelId: name,
    author: name.split('/')[0],
    sha,
    lastModified: date,
    createdAt: date,
    private: false,
    gated: hub.gated.has(repo) && 'manual',
    disabled: false,
    downloads: 7,
    likes: 2,
    tags: ['license:mit'],
    cardData: { license: 'mit' },
    siblings,
    usedStorage: entries.reduce((sum, { size }) => sum + size, 0),
  }
}

function answerTree({ response, url }, entries, folder) {
  const prefix = folder === '' ? '' : `${folder}/`
  const isRecursive = /^(true|1)$/i.test(url.searchParams.get('recursive') ?? '')
  const listed = entries.filter(
    ({ path }) => path.startsWith(prefix) && (isRecursive || !path.slice(prefix.length).includes('/')),
  )
  if (listed.length === 0) return refuse(response, 404, 'EntryNotFound', `${folder} does not exist`)
  const from = Number(url.searchParams.get('cursor') ?? 0)
  const next = new URL(url)
  next.searchParams.set('cursor', String(from + pageEntries))
  const hasMore = from + pageEntries < listed.length
  sendJson(
    response,
    listed.slice(from, from + pageEntries),
    hasMore ? { Link: `<${next.href}>; rel="next"` } : {},
  )
}

async function answerPaths({ request, response }, entries) {
  const body = await text(request)
  const isJson = request.headers['content-type']?.startsWith('application/json')
  const paths = isJson ? JSON.parse(body).paths : new URLSearchParams(body).getAll('paths')
  sendJson(
    response,
    entries.filter(({ path }) => paths.includes(path)),
  )
}

async function refsOf(hub, repo) {
  const format = '--format=%(refname:short)%00%(refname)%00%(objectname)'
  const named = async (pattern) =>
    (await hub.git(repo, 'for-each-ref', format, pattern))
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split('\0'))
      .map(([name, ref, targetCommit]) => ({ name, ref, targetCommit }))
  return { branches: await named('refs/heads'), tags: await named('refs/tags'), converts: [] }
}

async function commitOf(hub, repo, sha) {
  const [user, when, title, ...message] = (
    await hub.git(repo, 'log', '-1', '--format=%an%n%aI%n%s%n%b', sha)
  ).split('\n')
  return { id: sha, title, message: message.join('\n').trim(), date: when, authors: [{ user }] }
}
