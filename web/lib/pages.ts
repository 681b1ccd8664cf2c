import { repoPath } from '../../shared/transfer.ts'
import type { DiscussionKind } from '../../shared/vocabulary.ts'

/** Whatever names a repo: its API shape (`model`) or its address (`models`). */
export interface RepoName {
  type: string
  ns: string
  name: string
}

const encodePath = (path: string) => path.split('/').map(encodeURIComponent).join('/')
const segment = (name: string) => `/${encodeURIComponent(name)}`
const below = (repo: RepoName, tab: string, rev: string, path: string) =>
  `${repoPath(repo)}/${tab}/${encodeURIComponent(rev)}${path && `/${encodePath(path)}`}`

/** Addresses of the page, the same as those of the public hub. */
export const pages = {
  repo: (repo: RepoName) => repoPath(repo),
  tree: (repo: RepoName, rev: string, path = '') => below(repo, 'tree', rev, path),
  blob: (repo: RepoName, rev: string, path: string) => below(repo, 'blob', rev, path),
  blame: (repo: RepoName, rev: string, path: string) => below(repo, 'blame', rev, path),
  upload: (repo: RepoName, rev: string, path = '') =>
    `${below(repo, 'upload', rev, '')}${path && `?path=${encodeURIComponent(path)}`}`,
  newFile: (repo: RepoName, rev: string, path = '') => below(repo, 'new', rev, path),
  editFile: (repo: RepoName, rev: string, path: string) => below(repo, 'edit', rev, path),
  /** The metadata of the card, as fields. */
  editMetadata: (repo: RepoName, rev: string) => below(repo, 'metadata', rev, ''),
  commits: (repo: RepoName, rev: string, path = '') => below(repo, 'commits', rev, path),
  commit: (repo: RepoName, sha: string) => below(repo, 'commit', sha, ''),
  branches: (repo: RepoName) => `${repoPath(repo)}/branches`,
  compare: (repo: RepoName, base: string, head: string) =>
    `${repoPath(repo)}/compare?${new URLSearchParams({ base, head }).toString()}`,
  discussions: (repo: RepoName) => `${repoPath(repo)}/discussions`,
  newDiscussion: (repo: RepoName, kind: DiscussionKind = 'discussion') =>
    `${repoPath(repo)}/discussions/new${kind === 'discussion' ? '' : `?kind=${kind}`}`,
  discussion: (repo: RepoName, num: number, tab: '' | 'commits' | 'files' = '') =>
    `${repoPath(repo)}/discussions/${num}${tab && `/${tab}`}`,
  viewer: (repo: RepoName, config = '', split = '') =>
    `${repoPath(repo)}/viewer${[config, split].filter(Boolean).map(segment).join('')}`,
  sql: (repo: RepoName, config = '') => `${repoPath(repo)}/sql${config && segment(config)}`,
  insights: (repo: RepoName) => `${repoPath(repo)}/insights`,
  repoSettings: (repo: RepoName) => `${repoPath(repo)}/settings`,
  repoWebhooks: (repo: RepoName) => `${repoPath(repo)}/settings/webhooks`,
  /** Repos by what their cards or their names say. */
  search: ({ q, type, in: place }: { q: string; type?: string | undefined; in?: 'cards' | 'names' }) => {
    const query = new URLSearchParams({ q, ...(type && { type }), ...(place === 'names' && { in: place }) })
    return `/search?${query.toString()}`
  },
  list: (type: string) => (type.startsWith('dataset') ? '/datasets' : '/models'),
  namespace: (ns: string) => `/${encodeURIComponent(ns)}`,
  orgSettings: (ns: string) => `/${encodeURIComponent(ns)}/settings`,
  orgWebhooks: (ns: string) => `/${encodeURIComponent(ns)}/settings/webhooks`,
  webhooks: () => '/settings/webhooks',
  webhook: (id: string) => `/settings/webhooks/${encodeURIComponent(id)}`,
  collections: () => '/collections',
  /** Its owner and its first repo, written `models/ns/name`, may be said beforehand. */
  newCollection: (known: { ns?: string; item?: string } = {}) => {
    const query = new URLSearchParams(known).toString()
    return `/collections/new${query && `?${query}`}`
  },
  collection: ({ ns, slug }: { ns: string; slug: string }) =>
    `/collections/${encodeURIComponent(ns)}/${encodeURIComponent(slug)}`,
  discover: (upstream: string, type: string) => {
    const query = new URLSearchParams({
      upstream,
      ...(type.startsWith('dataset') ? { type: 'datasets' } : {}),
    })
    return `/discover?${query.toString()}`
  },
  discovered: (upstream: string, { type, ns, name }: RepoName) => {
    const kind = type.startsWith('dataset') ? 'datasets' : 'models'
    const address = `/discover/${kind}/${encodeURIComponent(ns)}/${encodeURIComponent(name)}`
    return `${address}?upstream=${encodeURIComponent(upstream)}`
  },
  job: (id: string) => `/jobs/${encodeURIComponent(id)}`,
  problem: (code: string) => `/problems/${encodeURIComponent(code)}`,
  login: (next: string) => (next === '/' ? '/login' : `/login?next=${encodeURIComponent(next)}`),
}

/**
 * The segments of an address below a repo's page, decoded once: `/ns/name/tree/refs%2Fpr%2F1/a%20b` → `['tree', 'refs/pr/1', 'a b']`.
 * The router's own parameters also turn a literal `%2F` of a file name into a slash, so they are not used for paths.
 */
export function segmentsBelowRepo(pathname: string): string[] {
  const skip = pathname.startsWith('/datasets/') ? 4 : 3
  return pathname.split('/').slice(skip).filter(Boolean).map(decodeSegment)
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** A path to return to after sign-in; anything that could leave this origin becomes `/`. */
export function localPath(next: string | null): string {
  const isLocal = next !== null && /^\/(?![/\\])/.test(next) && !/[\u0000-\u001f]/.test(next)
  return isLocal ? next : '/'
}
