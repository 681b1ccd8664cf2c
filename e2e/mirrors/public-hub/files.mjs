// `resolve` of the public hub: small files by a relative redirect to a cache of its own, large ones on the CDN.
import { refuse, refuseGated, refuseUnknown } from './answers.mjs'
import { entriesAt, xetHashOf } from './entries.mjs'

/** The path of a file: by its revision, or, where that was resolved, by its commit in the hub's cache. */
const addresses =
  /^(?:\/api\/resolve-cache\/(models|datasets)|\/(datasets))?\/([^/]+\/[^/]+)\/(?:resolve\/)?([^/]+)\/(.+)$/

export async function answerFile(hub, asked) {
  const { request, response, url } = asked
  const [, cached, prefix, name, revision, encoded] = addresses.exec(url.pathname) ?? []
  if (name === undefined) return refuse(response, 404, undefined, 'Sorry, we can’t find the page.')
  const type = cached ?? prefix ?? 'models'
  const repo = type === 'datasets' ? `datasets/${name}` : name
  if (!(await hub.resolve(repo, 'main'))) return refuseUnknown(asked)
  if (hub.gated.has(repo) && !asked.isMember) return refuseGated(asked, name)
  const sha = await hub.resolve(repo, decodeURIComponent(revision))
  if (sha === undefined) return refuse(response, 404, 'RevisionNotFound', `Invalid rev id: ${revision}`)
  const path = decodeURIComponent(encoded)
  const entry = (await entriesAt(hub, repo, sha)).find((each) => each.path === path && each.type === 'file')
  if (!entry) return refuse(response, 404, 'EntryNotFound', 'Entry not found')
  const common = { 'X-Repo-Commit': sha, 'Accept-Ranges': 'bytes', Vary: 'Origin, Accept' }
  if (entry.lfs) return redirectToCdn(hub, asked, { entry, type, name, sha, common })
  if (!cached) {
    const location = `/api/resolve-cache/${type}/${name}/${sha}/${encoded}?etag=%22${entry.oid}%22`
    const linked = { 'X-Linked-Size': String(entry.size), 'X-Linked-Etag': `"${entry.oid}"` }
    return response.writeHead(307, { ...common, ...linked, Location: location }).end()
  }
  const headers = { ...common, 'Content-Type': 'text/plain; charset=utf-8', 'Content-Length': entry.size }
  const bytes = request.method === 'HEAD' ? undefined : await bytesOf(hub, repo, entry)
  response.writeHead(200, { ...headers, ETag: `"${entry.oid}"` }).end(bytes)
}

/** git's output comes without its last newline. */
async function bytesOf(hub, repo, { oid, size }) {
  const bytes = Buffer.from(await hub.git(repo, 'cat-file', 'blob', oid))
  return bytes.length < size ? `${bytes}\n` : bytes
}

function redirectToCdn(hub, { response }, { entry, type, name, sha, common }) {
  const { oid, size } = entry.lfs
  const hash = xetHashOf(oid)
  const token = `${hub.url}/api/${type}/${name}/xet-read-token/${sha}`
  const location = hub.cdn.addressOf(oid, entry.path)
  const headers = {
    ...common,
    Location: location,
    'X-Linked-Size': String(size),
    'X-Linked-Etag': `"${oid}"`,
    'X-Xet-Hash': hash,
    Link: `<${token}>; rel="xet-auth", <https://cas-server.xethub.example/v1/reconstructions/${hash}>; rel="xet-reconstruction-info"`,
  }
  response.writeHead(302, headers).end(`Found. Redirecting to ${location}`)
}
