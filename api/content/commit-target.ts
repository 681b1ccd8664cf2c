import { limits } from '../../shared/vocabulary.ts'
import type { Snapshot } from '../git/index.ts'
import { invalidField, Problem } from '../problems/index.ts'

/** A commit's message. Problem `validation-failed` on `title` or `body`. */
export function messageOf({ title, body = '' }: { title: string; body?: string }): string {
  const subject = title.replace(/\s*\n\s*/g, ' ').trim()
  if (subject === '') throw invalidField('title', 'must not be empty', 'empty')
  if (subject.length > limits.commitTitle)
    throw invalidField('title', `must be at most ${limits.commitTitle} characters`, 'too-long')
  if (Buffer.byteLength(body) > limits.commitBodyBytes)
    throw invalidField('body', `must be at most ${limits.commitBodyBytes} bytes`, 'too-long')
  return body.trim() === '' ? subject : `${subject}\n\n${body.trim()}`
}

/** The branch to commit to; one that is absent is made only as the first of an empty Repo. */
export function findTarget(
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
export async function expectedHeadOf(
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
