import type { RepoType } from '../../../shared/vocabulary.ts'
import type { UserActor } from './actor.ts'

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

/** A fenced token sees everything outside its fence as anonymous would. */
export function insideFence(actor: UserActor, repo: { type: RepoType; ns: string; name: string }): boolean {
  if (actor.auth.kind !== 'token' || !actor.auth.fence) return true
  const { repos, namespaces } = actor.auth.fence
  return (
    (namespaces?.some((ns) => same(ns, repo.ns)) ?? false) ||
    (repos?.some((r) => r.type === repo.type && same(r.ns, repo.ns) && same(r.name, repo.name)) ?? false)
  )
}

/** A fenced token reaches only namespaces its fence names; that it names repos of one is not enough. */
export function reachesNamespace(actor: UserActor, ns: { name: string }): boolean {
  if (actor.auth.kind !== 'token' || !actor.auth.fence) return true
  return actor.auth.fence.namespaces?.some((name) => same(name, ns.name)) ?? false
}
