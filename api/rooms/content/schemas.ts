import { limits, scanStatuses } from '../../../shared/vocabulary.ts'
import { flag, Time, z } from '../../core/http/contract.ts'
import { HeaderDiff } from '../facts/schemas.ts'

/** A ref, tag or commit as people name it. */
export const RefName = z.string().min(1).max(1000)

export const Ref = z
  .object({
    name: z.string(),
    ref: z.string(),
    target_commit: z.string(),
    updated_at: Time,
    message: z.string().optional().openapi({ description: 'Of an annotated tag' }),
    protected: z
      .boolean()
      .optional()
      .openapi({ description: 'It cannot be deleted: the default branch, or one that a rule protects' }),
    pull_request_only: z
      .boolean()
      .optional()
      .openapi({ description: 'The caller changes it by pull requests alone, as a branch rule says' }),
  })
  .openapi('Ref')

export const Refs = z
  .object({
    branches: z.array(Ref),
    tags: z.array(Ref),
    pull_requests: z.array(Ref),
    converts: z.array(Ref),
  })
  .openapi('Refs')

export const Commit = z
  .object({
    sha: z.string(),
    parents: z.array(z.string()),
    title: z.string(),
    body: z.string().optional(),
    author: z.object({
      name: z.string(),
      email: z.string().optional(),
      username: z.string().optional(),
      avatar_url: z.string().optional(),
    }),
    committed_at: Time,
    is_boundary: z
      .boolean()
      .optional()
      .openapi({ description: 'Of a mirror: earlier history is at the upstream.' }),
  })
  .openapi('Commit')

const FileStatus = z.enum(['added', 'modified', 'deleted', 'renamed', 'copied'])

export const ChangedFile = z.object({
  path: z.string(),
  old_path: z.string().optional(),
  status: FileStatus,
  additions: z.int().optional(),
  deletions: z.int().optional(),
  old_oid: z.string().optional().openapi({ description: 'The former content by its git id' }),
  new_oid: z.string().optional().openapi({ description: 'The new content by its git id' }),
  binary: z.boolean(),
  lfs: z.boolean(),
  old_size: z.int().optional(),
  new_size: z.int().optional(),
})

export const CommitDetail = Commit.extend({
  files: z.array(ChangedFile),
  total_additions: z.int(),
  total_deletions: z.int(),
  truncated: z.boolean().openapi({
    description: 'More files changed than are listed, or lines of some text files were not counted.',
  }),
}).openapi('CommitDetail')

export const MergedCommits = z
  .object({
    items: z.array(Commit),
    truncated: z.boolean().openapi({ description: 'The merge brought more commits than are listed.' }),
  })
  .openapi('MergedCommits')

export const Contributors = z
  .object({
    commit: z.string(),
    items: z
      .array(
        z.object({
          name: z.string().openapi({ description: 'As their newest commit has it, at most 200 characters.' }),
          username: Commit.shape.author.shape.username,
          avatar_url: Commit.shape.author.shape.avatar_url,
          commits: z.int(),
          first_commit_at: Time,
          last_commit_at: Time,
        }),
      )
      .openapi({ description: 'Those with the most commits first, at most 100.' }),
    total: z.int().openapi({ description: 'How many contributors there are in all.' }),
    commits: z.int().openapi({ description: 'How many commits were counted.' }),
    is_partial: z.boolean().openapi({
      description:
        'Earlier commits were not counted: the history is too long, or goes on at the upstream of a mirror.',
    }),
  })
  .openapi('Contributors')

export const Divergence = z
  .object({
    base_commit: z.string(),
    head_commit: z.string(),
    ahead: z
      .int()
      .optional()
      .openapi({ description: 'Commits of `head` that `base` has not. Absent when counting took too long.' }),
    behind: z.int().optional().openapi({ description: 'Commits of `base` that `head` has not.' }),
  })
  .openapi('Divergence')

export const Comparison = Divergence.extend({
  files: z.array(ChangedFile),
  truncated: z.boolean().openapi({
    description: 'More files changed than are listed, or lines of some text files were not counted.',
  }),
}).openapi('Comparison')

export const Blame = z
  .object({
    commit: z.string(),
    path: z.string(),
    line_count: z.int().openapi({ description: 'Of the whole file.' }),
    truncated: z
      .boolean()
      .openapi({ description: 'The file has more lines than the 20 000 that are traced.' }),
    ranges: z
      .array(
        z.object({
          start: z.int().openapi({ description: 'Lines count from 1.' }),
          count: z.int(),
          commit: z.string(),
          original_start: z
            .int()
            .openapi({ description: 'The line of the file at that commit which the first of them is.' }),
          original_path: z.string().openapi({ description: 'Where the file was at that commit.' }),
          previous: z
            .object({ commit: z.string(), path: z.string() })
            .optional()
            .openapi({ description: 'Where the file was before. Absent when the commit made it.' }),
        }),
      )
      .openapi({ description: 'In the order of the lines.' }),
    commits: z.array(
      z.object({
        sha: z.string(),
        title: z.string().openapi({ description: 'At most 200 characters of it' }),
        author: Commit.shape.author.omit({ email: true }),
        committed_at: Time,
        is_boundary: Commit.shape.is_boundary,
      }),
    ),
  })
  .openapi('Blame')

const LfsSide = z.object({ sha256: z.string(), size: z.int() })

export const DiffLine = z.object({ kind: z.enum(['context', 'add', 'delete']), text: z.string() })

/** How the lines of changed files are compared. */
export const DiffQuery = z.object({
  ignore_whitespace: flag.optional().openapi({
    description: 'Lines that differ in white space alone count as equal; they have the text of the new file.',
  }),
})

export const FileDiff = z
  .object({
    path: z.string(),
    old_path: z.string().optional(),
    status: FileStatus,
    binary: z.boolean(),
    lfs: z.object({ old: LfsSide.optional(), new: LfsSide.optional() }).optional(),
    too_large: z.boolean(),
    total_lines: z.int().optional().openapi({
      description:
        'Of the file as it becomes. Present where its lines were compared with those of a former file.',
    }),
    hunks: z.array(
      z.object({
        old_start: z.int(),
        old_lines: z.int(),
        new_start: z.int(),
        new_lines: z.int(),
        lines: z.array(DiffLine),
      }),
    ),
    header_diff: HeaderDiff.optional().openapi({
      description: 'Of safetensors, their indexes and GGUF: how their tensors and keys differ.',
    }),
  })
  .openapi('FileDiff')

export const TreeEntry = z
  .object({
    name: z.string(),
    path: z.string(),
    kind: z.enum(['directory', 'file']),
    size: z.int(),
    oid: z.string(),
    lfs: z.object({ sha256: z.string(), size: z.int(), pointer_size: z.int() }).optional(),
    presence: z.enum(['present', 'missing', 'pulling']),
    scan: z.enum(scanStatuses).optional().openapi({ description: 'Of files: what the scan says of it.' }),
    last_commit: Commit.optional(),
  })
  .openapi('TreeEntry')

export const TreeListing = z
  .object({
    commit: z.string(),
    path: z.string(),
    kind: z.enum(['directory', 'file']),
    entries: z.array(TreeEntry),
    next_cursor: z.string(),
    file: TreeEntry.optional(),
  })
  .openapi('TreeListing')

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'use 64 lower-case hex digits')
const FilePath = z.string()

export const CommitRequest = z
  .strictObject({
    branch: RefName.optional().openapi({
      description: 'The default branch unless given; or a pull request as `refs/pr/1`',
    }),
    parent_commit: z
      .string()
      .regex(/^[0-9a-f]{5,40}$/, 'use 5 to 40 lower-case hex digits')
      .optional(),
    create_pull_request: z
      .boolean()
      .optional()
      .openapi({ description: 'Opens a pull request onto the branch, with the title and body' }),
    draft: z
      .boolean()
      .optional()
      .openapi({ description: 'With `create_pull_request`: it is a draft, which cannot be merged yet' }),
    title: z.string().trim().min(1).max(limits.commitTitle),
    body: z.string().optional(),
    operations: z
      .array(
        z.discriminatedUnion('op', [
          z
            .strictObject({
              op: z.literal('add'),
              path: FilePath,
              content: z.string().optional().openapi({ description: 'Base64' }),
              text: z.string().optional(),
              lfs: z.strictObject({ sha256: Sha256, size: z.int().min(0) }).optional(),
            })
            .refine((add) => [add.content, add.text, add.lfs].filter((v) => v !== undefined).length === 1, {
              message: 'give exactly one of content, text and lfs',
            }),
          z.strictObject({ op: z.literal('delete'), path: FilePath, recursive: z.boolean().optional() }),
          z.strictObject({
            op: z.literal('copy'),
            from: FilePath,
            from_revision: RefName.optional(),
            to: FilePath,
          }),
        ]),
      )
      .min(1)
      .max(limits.commitOperations),
  })
  .openapi('CommitRequest')

export const CommitResponse = z
  .object({
    commit: z.string(),
    ref: z.string(),
    changed: z.boolean(),
    pull_request: z.object({ num: z.int(), url: z.string() }).optional(),
  })
  .openapi('CommitResponse')
