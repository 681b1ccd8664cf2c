import { limits } from '../../../../shared/vocabulary.ts'
import { oneLine, type CommitRequest, type NameRef, type Snapshot } from '../../../core/git/index.ts'
import { invalidField, Problem } from '../../../platform/problems/index.ts'

/** A commit's message. Problem `validation-failed` on `title` or `body`. */
export function messageOf({ title, body = '' }: { title: string; body?: string }): string {
  const subject = oneLine(title)
  if (subject === '') throw invalidField('title', 'must not be empty', 'empty')
  if (subject.length > limits.commitTitle)
    throw invalidField('title', `must be at most ${limits.commitTitle} characters`, 'too-long')
  if (Buffer.byteLength(body) > limits.commitBodyBytes)
    throw invalidField('body', `must be at most ${limits.commitBodyBytes} bytes`, 'too-long')
  return body.trim() === '' ? subject : `${subject}\n\n${body.trim()}`
}

/** The ref of a pull request: `refs/pr/N`, or what names a new one. */
export interface PullRequestRef {
  ref: string | NameRef
}

/** What a commit of JSON operations is asked to do. */
interface Wanted {
  branch?: string
  parentCommit?: string
}

/** Where a commit goes. */
interface Target {
  /** For the git engine. */
  place: Pick<CommitRequest, 'ref' | 'expectedHead' | 'base'>
  /** The commit its operations are about; absent in an empty repo. */
  base: string | undefined
}

/** Problems `revision-not-found`, `commit-conflict`. */
export async function targetOf(snapshot: Snapshot, wanted: Wanted, pull?: PullRequestRef): Promise<Target> {
  if (typeof pull?.ref === 'function') {
    const base = await baseOf(snapshot, wanted)
    return { place: { ref: pull.ref, base }, base }
  }
  const { ref, head } = pull ? requireHead(snapshot, pull.ref) : findTarget(snapshot, wanted.branch)
  const expectedHead = await expectedHeadOf(snapshot, head, wanted.parentCommit)
  const place = { ref, ...(expectedHead === undefined ? {} : { expectedHead }) }
  return { place, base: expectedHead ?? head }
}

function requireHead(snapshot: Snapshot, ref: string): { ref: string; head: string } {
  const head = snapshot.findRef(ref)?.commit
  if (head === undefined) throw new Problem('revision-not-found', { detail: `Invalid rev id: ${ref}` })
  return { ref, head }
}

/** The commit a new pull request is built on: the head of its base, or the one the caller has seen (hub-wire.md §7.2). */
async function baseOf(snapshot: Snapshot, { branch, parentCommit }: Wanted): Promise<string> {
  const { head } = requireHead(snapshot, `refs/heads/${branch ?? snapshot.defaultBranch}`)
  if (parentCommit === undefined || head.startsWith(parentCommit)) return head
  const found = (await snapshot.resolve(parentCommit))?.commit
  if (found?.startsWith(parentCommit)) return found
  throw new Problem('revision-not-found', { detail: `Invalid rev id: ${parentCommit}` })
}

/** The branch to commit to; one that is absent is made only as the first of an empty repo. */
function findTarget(
  snapshot: Snapshot,
  branch = snapshot.defaultBranch,
): { ref: string; head: string | undefined } {
  const ref = `refs/heads/${branch}`
  const head = snapshot.findRef(ref)?.commit
  const isFirst = branch === snapshot.defaultBranch && snapshot.listRefs('refs/heads/').length === 0
  if (head === undefined && !isFirst)
    throw new Problem('revision-not-found', { detail: `Invalid rev id: ${branch}` })
  return { ref, head }
}

/** The full id of what the caller has seen. Fails at once, before any content is read, when that can only be a conflict. */
async function expectedHeadOf(
  snapshot: Snapshot,
  head: string | undefined,
  parentCommit: string | undefined,
): Promise<string | undefined> {
  if (parentCommit === undefined) return undefined
  if (head?.startsWith(parentCommit)) return head
  // The head may be this very request's, whose answer was lost: then it stands on that parent.
  const parent = head === undefined ? undefined : (await snapshot.findCommit(head))?.parents[0]
  if (parent?.startsWith(parentCommit)) return parent
  throw new Problem('commit-conflict', {
    detail: 'The branch has moved since you read it. Read it again and repeat the change.',
    members: { current_commit: head ?? null },
  })
}
