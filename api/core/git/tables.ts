import type { Columns } from '../../stores/db/columns.sqlite.ts'

/** What git knows of each repo, refs, the pack catalogue and the history index (git-storage.md §5.2). Git oids are 20-byte columns. */
export const gitTables = (c: Columns) => ({
  /** One row for each repo. */
  git_repos: c.table('git_repos', {
    repo_id: c.id(),
    /** +1 per ref move. */
    ref_seq: c.int().notNull(),
    /** +1 per pruning gc. */
    prune_seq: c.int().notNull(),
    /** `ref_seq` for which links to unreachable large files were last dropped. */
    lfs_marked_seq: c.int().notNull(),
    /** Of live packs with their indexes. */
    pack_bytes: c.bigint().notNull(),
  }),
  git_refs: c.table(
    'git_refs',
    {
      repo_id: c.text().notNull(),
      /** Full name, such as `refs/heads/main`. */
      name: c.text().notNull(),
      oid: c.bytes().notNull(),
      /** The commit an annotated tag leads to. */
      peeled_oid: c.bytes(),
      updated_at: c.time().notNull(),
      updated_by: c.text(),
    },
    (t) => [c.primaryKey({ columns: [t.repo_id, t.name] })],
  ),
  git_ref_log: c.table(
    'git_ref_log',
    {
      id: c.id(),
      repo_id: c.text().notNull(),
      name: c.text().notNull(),
      old_oid: c.bytes(),
      new_oid: c.bytes(),
      user_id: c.text(),
      via: c.oneOf(['api', 'web', 'push', 'merge', 'mirror', 'convert']).notNull(),
      at: c.time().notNull(),
    },
    (t) => [c.index('git_ref_log_repo').on(t.repo_id, t.at), c.index('git_ref_log_user').on(t.user_id, t.id)],
  ),
  git_packs: c.table(
    'git_packs',
    {
      id: c.id(),
      repo_id: c.text().notNull(),
      state: c.oneOf(['pending', 'live', 'retired', 'deleting']).notNull(),
      source: c.oneOf(['insert', 'receive', 'compact', 'gc']).notNull(),
      /** Trailer of the pack, 40-hex. */
      sha1: c.text().notNull(),
      objects: c.int().notNull(),
      pack_bytes: c.bigint().notNull(),
      idx_bytes: c.bigint().notNull(),
      created_at: c.time().notNull(),
      retired_at: c.time(),
      /** Since when its bytes are known to be damaged: it is not read any more. */
      corrupt_at: c.time(),
    },
    (t) => [c.index('git_packs_repo_state').on(t.repo_id, t.state), c.index('git_packs_state').on(t.state)],
  ),
  git_commits: c.table(
    'git_commits',
    {
      repo_id: c.text().notNull(),
      oid: c.bytes().notNull(),
      chain: c.int().notNull(),
      /** Position in the chain, from 0. */
      pos: c.int().notNull(),
      /** 20 bytes each, joined. */
      parents: c.bytes().notNull(),
      tree: c.bytes().notNull(),
      author_name: c.text().notNull(),
      author_email: c.text().notNull(),
      author_time: c.time().notNull(),
      /** Minutes east of UTC. */
      author_tz: c.int().notNull(),
      committer_name: c.text().notNull(),
      committer_email: c.text().notNull(),
      committer_time: c.time().notNull(),
      committer_tz: c.int().notNull(),
      subject: c.text().notNull(),
      body: c.text().notNull(),
      /** The account that made it here, where one did. */
      user_id: c.text(),
    },
    (t) => [
      c.primaryKey({ columns: [t.repo_id, t.oid] }),
      c.uniqueIndex('git_commits_chain').on(t.repo_id, t.chain, t.pos),
    ],
  ),
  /** Commits of a mirror whose parents are at the upstream alone: for git they have none. */
  git_shallow: c.table('git_shallow', { repo_id: c.text().notNull(), oid: c.bytes().notNull() }, (t) => [
    c.primaryKey({ columns: [t.repo_id, t.oid] }),
  ]),
  git_chains: c.table(
    'git_chains',
    {
      repo_id: c.text().notNull(),
      id: c.int().notNull(),
      owner_ref: c.text().notNull(),
      parent_chain: c.int(),
      parent_pos: c.int(),
      tip_pos: c.int().notNull(),
    },
    (t) => [c.primaryKey({ columns: [t.repo_id, t.id] })],
  ),
  git_dirs: c.table(
    'git_dirs',
    {
      id: c.id(),
      repo_id: c.text().notNull(),
      /** Without slashes at its ends; the root is empty. */
      path: c.text().notNull(),
    },
    (t) => [c.uniqueIndex('git_dirs_path').on(t.repo_id, t.path)],
  ),
  git_changes: c.table(
    'git_changes',
    {
      repo_id: c.text().notNull(),
      dir_id: c.text().notNull(),
      name: c.text().notNull(),
      chain: c.int().notNull(),
      pos: c.int().notNull(),
      commit_oid: c.bytes().notNull(),
      kind: c.oneOf(['A', 'M', 'D']).notNull(),
    },
    (t) => [c.primaryKey({ columns: [t.repo_id, t.dir_id, t.name, t.chain, t.pos] })],
  ),
})

declare module '../../stores/db/schema.ts' {
  interface Tables extends ReturnType<typeof gitTables> {}
}
