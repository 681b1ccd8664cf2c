import type { Ctx } from '../../../core/ctx.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { Caller } from '../../upstreams/index.ts'
import { describeUpstream, type UpstreamRepo } from './describe.ts'
import { openGit, type GitRepo } from './fetch-commits.ts'
import { fullRefName } from './read-files.ts'

/**
 * A repo of an upstream, open for reading its commits: `git` with the upstream's own ids, or `snapshot` where it has no
 * git, so that commits are made here of the files that its API lists.
 */
export type Remote = ({ fidelity: 'git'; git: GitRepo } | { fidelity: 'snapshot' }) & {
  caller: Caller
  repo: UpstreamRepo
}

/** A revision of an upstream's repo. */
export interface RemoteRevision {
  /** 40-hex, the upstream's id. */
  commit: string
  /** Branch or tag that it is, by full name, and what that leads to; absent for a commit id. */
  ref?: { name: string; oid: string }
}

/**
 * Opens an upstream's repo, which its API has shown before. A mirror that has the upstream's commit ids keeps to them: Problem
 * `upstream-unavailable` where `mustBeGit` and there is no git.
 */
export async function openRemote(
  ctx: Ctx,
  caller: Caller,
  repo: UpstreamRepo,
  { mustBeGit = false }: { mustBeGit?: boolean } = {},
): Promise<Remote> {
  const git = await openGit(ctx, caller, repo)
  if (git) return { fidelity: 'git', git, caller, repo }
  if (!mustBeGit) return { fidelity: 'snapshot', caller, repo }
  throw new Problem('upstream-unavailable', {
    detail: `${caller.upstream.name} no longer offers ${repo.name} by git (protocol v2). What is here stays, and the next sync tries again.`,
    retryAfterS: 60,
  })
}

/** What a branch, tag or commit id is at the upstream. Problem `revision-not-found`. */
export async function resolveRemote(ctx: Ctx, remote: Remote, revision: string): Promise<RemoteRevision> {
  if (/^[0-9a-f]{40}$/.test(revision)) return { commit: revision }
  if (remote.fidelity === 'snapshot') {
    const { caller, repo } = remote
    const { commit } = await describeUpstream(ctx, caller, repo, revision, { sizes: false })
    return { commit, ref: { name: await fullRefName(ctx, caller, repo, revision), oid: commit } }
  }
  const names = revision.startsWith('refs/')
    ? [revision]
    : [`refs/heads/${revision}`, `refs/tags/${revision}`]
  const refs = await remote.git.listRefs(names)
  for (const name of names) {
    const found = refs.find((ref) => ref.name === name)
    if (found) return { commit: found.peeled ?? found.oid, ref: { name, oid: found.oid } }
  }
  throw new Problem('revision-not-found', { detail: `The upstream has no revision ${revision}.` })
}
