import type { RepoName } from './pages.ts'

const key = 'recent-repos'
const kept = 8

/** The repos whose pages this browser showed last, the latest first. */
export function recentRepos(): RepoName[] {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(read) ? (read as RepoName[]) : []
  } catch {
    return []
  }
}

/** Notes that a repo's page is shown. */
export function noteRecentRepo({ type, ns, name }: RepoName): void {
  const others = recentRepos().filter((repo) => repo.type !== type || repo.ns !== ns || repo.name !== name)
  try {
    localStorage.setItem(key, JSON.stringify([{ type, ns, name }, ...others].slice(0, kept)))
  } catch {
    // Without storage there is no list.
  }
}

/** Names of private repos are not left to the next person at this browser. */
export function forgetRecentRepos(): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Nothing was kept.
  }
}
