import { splitMessage, type Commit, type Person } from './objects/objects.ts'
import type { RefRow } from './repo-state.ts'
import { MODE, type TreeEntry } from './objects/tree.ts'

/** A branch, tag or other ref. Oids are 40-hex. */
export interface Ref {
  /** Full name, such as `refs/heads/main`. */
  name: string
  oid: string
  /** The commit it leads to: `oid`, or where an annotated tag points. */
  commit: string
  updatedAt: Date
}

/** What a revision names. `ref` is absent when it was a commit id. */
export interface Resolved {
  commit: string
  ref?: string
}

export interface CommitObject {
  sha: string
  tree: string
  parents: string[]
  author: Person
  committer: Person
  message: string
  subject: string
  body: string
}

/** A line of a tree as callers see it. */
export interface Entry {
  name: string
  kind: 'file' | 'directory' | 'symlink' | 'submodule'
  mode: number
  oid: string
}

/** An entry with its path from the root of the repo. */
export interface PathEntry extends Entry {
  path: string
}

/** A commit at the face. */
export function toCommit(sha: string, commit: Commit): CommitObject {
  return {
    ...commit,
    ...splitMessage(commit.message),
    sha,
    tree: commit.tree.toString('hex'),
    parents: commit.parents.map((parent) => parent.toString('hex')),
  }
}

/** A ref's row at the face. */
export function toRef({ name, oid, peeled, updatedAt }: RefRow): Ref {
  return { name, oid: oid.toString('hex'), commit: (peeled ?? oid).toString('hex'), updatedAt }
}

/** A tree's line at the face. */
export function toEntry({ name, mode, oid }: TreeEntry): Entry {
  return { name, kind: kindOf(mode), mode, oid: oid.toString('hex') }
}

function kindOf(mode: number): Entry['kind'] {
  if (mode === MODE.tree) return 'directory'
  if (mode === MODE.symlink) return 'symlink'
  return mode === MODE.gitlink ? 'submodule' : 'file'
}
