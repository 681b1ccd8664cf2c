import type { Ctx } from '../../core/ctx.ts'
import { shortId } from '../../stores/db/index.ts'
import type { CommentSubject, DiscussionSubject, RepoSubject, Subject } from '../../core/events/index.ts'
import { pagePath, typePathOf } from '../repos/index.ts'

/** What a delivery tells, and of what. */
export interface Message {
  webhookId: string
  event: string
  subject: Subject & { repo: RepoSubject }
  /** 40-hex of the default branch's head; absent without one. */
  head: string | undefined
}

const noUser = '0'.repeat(24)
const idOf = (id: string | null) => ({ id: id === null ? noUser : shortId(id) })

/** The body in the public hub's form, version 3 (hub-docs: docs/hub/webhooks.md); `job` and `scan` are our own. */
export function payloadOf(ctx: Pick<Ctx, 'config'>, { webhookId, event, subject, head }: Message): string {
  const base = ctx.config.server.public_url
  const { action, repo, discussion, comment, refs, movedTo, config, job, scan } = subject
  return JSON.stringify({
    event: { action, scope: event },
    repo: repoOf(base, repo, head),
    ...(discussion && { discussion: discussionOf(base, repo, discussion) }),
    ...(discussion && comment && { comment: commentOf(base, repo, discussion, comment) }),
    ...(refs && { updatedRefs: refs.map(({ ref, from, to }) => ({ ref, oldSha: from, newSha: to })) }),
    ...(movedTo && { movedTo: { name: `${movedTo.ns}/${movedTo.name}`, owner: idOf(movedTo.ownerId) } }),
    ...(config && { updatedConfig: configOf(config) }),
    ...(job && { job: { ...job, url: { web: `${base}/jobs/${job.id}` } } }),
    ...(scan && { scan }),
    webhook: { ...idOf(webhookId), version: 3 },
  })
}

const apiOf = (base: string, { type, ns, name }: RepoSubject) =>
  `${base}/api/${typePathOf(type)}/${ns}/${name}`

function repoOf(base: string, repo: RepoSubject, head: string | undefined) {
  return {
    type: repo.type,
    name: `${repo.ns}/${repo.name}`,
    ...idOf(repo.id),
    private: repo.isPrivate,
    url: { web: `${base}/${pagePath(repo)}`, api: apiOf(base, repo) },
    ...(head === undefined ? {} : { headSha: head }),
    owner: idOf(repo.ownerId),
  }
}

const threadOf = (base: string, repo: RepoSubject, { num }: DiscussionSubject) => ({
  web: `${base}/${pagePath(repo)}/discussions/${num}`,
  api: `${apiOf(base, repo)}/discussions/${num}`,
})

function discussionOf(base: string, repo: RepoSubject, discussion: DiscussionSubject) {
  const { id, num, title, status, authorId, base: branch, mergeCommit } = discussion
  return {
    ...idOf(id),
    num,
    title,
    status,
    author: idOf(authorId),
    isPullRequest: branch !== undefined,
    url: threadOf(base, repo, discussion),
    ...(branch === undefined
      ? {}
      : { changes: { base: branch, ...(mergeCommit === undefined ? {} : { mergeCommitId: mergeCommit }) } }),
  }
}

function commentOf(
  base: string,
  repo: RepoSubject,
  discussion: DiscussionSubject,
  { id, authorId, isHidden, content }: CommentSubject,
) {
  return {
    ...idOf(id),
    author: idOf(authorId),
    hidden: isHidden,
    ...(content === undefined ? {} : { content }),
    url: { web: `${threadOf(base, repo, discussion).web}#${id}` },
  }
}

/** Settings under the names that the hub's own calls have for them. */
function configOf(config: Record<string, unknown>) {
  const { visibility, gated, description, default_branch, discussions_enabled } = config
  return {
    ...(visibility === undefined ? {} : { private: visibility === 'private' }),
    ...(gated === undefined ? {} : { gated: gated ?? false }),
    ...(description === undefined ? {} : { description: description ?? '' }),
    ...(default_branch === undefined ? {} : { defaultBranch: default_branch }),
    ...(discussions_enabled === undefined ? {} : { discussionsDisabled: !discussions_enabled }),
  }
}
