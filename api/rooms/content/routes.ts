import {
  body,
  createRoute,
  empty,
  flag,
  json,
  listOf,
  PageQuery,
  pathParameter,
  problems,
  RepoAddress,
  z,
} from '../../core/http/contract.ts'
import { Job } from '../../core/jobs/routes.ts'
import {
  Blame,
  Commit,
  CommitDetail,
  CommitRequest,
  CommitResponse,
  Comparison,
  Contributors,
  DiffQuery,
  Divergence,
  FileDiff,
  MergedCommits,
  Ref,
  RefName,
  Refs,
  TreeListing,
} from './schemas.ts'
import { admitToRepo } from '../repos/index.ts'

const tags = ['content']
const hidden = ['unauthenticated', 'insufficient-scope', 'repo-not-found'] as const
const files = [...hidden, 'gated', 'revision-not-found', 'entry-not-found', 'store-unavailable'] as const
const changes = [...hidden, 'forbidden', 'read-only-mirror', 'repo-disabled', 'validation-failed'] as const

const repo = '/repos/{type}/{ns}/{name}'

export const getRefs = createRoute({
  method: 'get',
  path: `${repo}/refs`,
  operationId: 'getRefs',
  tags,
  request: { params: RepoAddress },
  responses: { 200: json(Refs, 'branches, tags, pull-request refs and converts'), ...problems(...hidden) },
})

export const createBranch = createRoute({
  method: 'post',
  path: `${repo}/branches`,
  operationId: 'createBranch',
  tags,
  request: {
    params: RepoAddress,
    body: body(z.strictObject({ name: RefName, from: RefName.optional() }).openapi('BranchCreate')),
  },
  responses: {
    201: json(Ref, 'the new branch'),
    ...problems(...changes, 'invalid-name', 'revision-not-found', 'already-exists'),
  },
})

export const deleteBranch = createRoute({
  method: 'delete',
  path: `${repo}/branches/{branch}`,
  operationId: 'deleteBranch',
  tags,
  request: { params: RepoAddress.extend({ branch: pathParameter('branch', 'draft') }) },
  responses: {
    204: empty('gone'),
    ...problems(...changes, 'branch-protected', 'revision-not-found', 'state-conflict'),
  },
})

export const createTag = createRoute({
  method: 'post',
  path: `${repo}/tags`,
  operationId: 'createTag',
  tags,
  request: {
    params: RepoAddress,
    body: body(
      z
        .strictObject({
          name: RefName,
          revision: RefName.optional(),
          message: z.string().max(65_536).optional(),
        })
        .openapi('TagCreate'),
    ),
  },
  responses: {
    201: json(Ref, 'the new tag'),
    ...problems(...changes, 'invalid-name', 'revision-not-found', 'already-exists'),
  },
})

export const deleteTag = createRoute({
  method: 'delete',
  path: `${repo}/tags/{tag}`,
  operationId: 'deleteTag',
  tags,
  request: { params: RepoAddress.extend({ tag: pathParameter('tag', 'v1.0') }) },
  responses: { 204: empty('gone'), ...problems(...changes, 'revision-not-found') },
})

export const listCommits = createRoute({
  method: 'get',
  path: `${repo}/commits`,
  operationId: 'listCommits',
  tags,
  request: {
    params: RepoAddress,
    query: PageQuery.extend({
      rev: z.string().optional(),
      path: z.string().optional().openapi({ description: 'Only commits that change this path' }),
    }),
  },
  responses: {
    200: json(listOf(Commit, 'CommitList'), 'Commits, newest first'),
    ...problems(...hidden, 'invalid-revision', 'revision-not-found', 'invalid-path'),
  },
})

export const createCommit = createRoute({
  method: 'post',
  path: `${repo}/commits`,
  operationId: 'createCommit',
  tags,
  largeBody: admitToRepo('repo.open-pull-request'),
  request: { params: RepoAddress, body: body(CommitRequest) },
  responses: {
    201: json(CommitResponse, 'the head after the change'),
    ...problems(
      ...changes,
      'revision-not-found',
      'entry-not-found',
      'commit-conflict',
      'file-too-large',
      'body-too-large',
      'quota-exceeded',
      'lfs-object-missing',
      'store-unavailable',
      'gated',
      'branch-protected',
      'discussions-disabled',
      'state-conflict',
    ),
  },
})

const Sha = pathParameter('sha', '4b825dc642cb6eb9a060e54bf8d69288fbee4904')

export const getCommit = createRoute({
  method: 'get',
  path: `${repo}/commits/{sha}`,
  operationId: 'getCommit',
  tags,
  request: { params: RepoAddress.extend({ sha: Sha }), query: DiffQuery },
  responses: {
    200: json(CommitDetail, 'the commit and the files it changes'),
    ...problems(...hidden, 'revision-not-found', 'validation-failed'),
  },
})

export const listMergedCommits = createRoute({
  method: 'get',
  path: `${repo}/commits/{sha}/merged`,
  operationId: 'listMergedCommits',
  tags,
  summary: 'The commits that a merge has brought beside its first parent, newest first, at most 50',
  request: { params: RepoAddress.extend({ sha: Sha }) },
  responses: {
    200: json(MergedCommits, 'the commits; none of a commit that is no merge'),
    ...problems(...hidden, 'revision-not-found', 'temporarily-unavailable'),
  },
})

export const listContributors = createRoute({
  method: 'get',
  path: `${repo}/contributors`,
  operationId: 'listContributors',
  tags,
  summary: 'Who made the commits that lead to a revision, those with the most first',
  description:
    'Commits made here are counted by their account, others by the address of their author, which is not shown.',
  request: {
    params: RepoAddress,
    query: z.object({
      rev: z.string().optional().openapi({ description: 'The default branch unless given' }),
    }),
  },
  responses: {
    200: json(Contributors, 'the contributors, at most 100'),
    ...problems(...hidden, 'invalid-revision', 'revision-not-found', 'temporarily-unavailable'),
  },
})

export const getCommitDiff = createRoute({
  method: 'get',
  path: `${repo}/commits/{sha}/diff`,
  operationId: 'getCommitDiff',
  tags,
  request: { params: RepoAddress.extend({ sha: Sha }), query: DiffQuery.extend({ path: z.string() }) },
  responses: {
    200: json(FileDiff, 'what the commit changes in one file'),
    ...problems(...files, 'invalid-path', 'validation-failed'),
  },
})

const Revisions = z.object({
  base: z.string().min(1).max(300).openapi({ description: 'A branch, tag, ref or commit.', example: 'v1' }),
  head: z.string().min(1).max(300).openapi({ description: 'Likewise.', example: 'main' }),
})
const comparing = [...hidden, 'invalid-revision', 'revision-not-found', 'validation-failed'] as const

export const compareRevisions = createRoute({
  method: 'get',
  path: `${repo}/compare`,
  operationId: 'compareRevisions',
  tags,
  summary: 'The files that differ between two revisions',
  description: 'Compares the files of both as they are, not what has changed since their histories parted.',
  request: { params: RepoAddress, query: Revisions.extend(DiffQuery.shape) },
  responses: {
    200: json(Comparison, 'the files'),
    ...problems(...comparing, 'store-unavailable'),
  },
})

export const getComparisonDiff = createRoute({
  method: 'get',
  path: `${repo}/compare/diff`,
  operationId: 'getComparisonDiff',
  tags,
  summary: 'How one file differs between two revisions',
  request: { params: RepoAddress, query: Revisions.extend({ ...DiffQuery.shape, path: z.string() }) },
  responses: {
    200: json(FileDiff, 'the difference'),
    ...problems(...files, 'invalid-revision', 'invalid-path', 'validation-failed'),
  },
})

export const getDivergence = createRoute({
  method: 'get',
  path: `${repo}/divergence`,
  operationId: 'getDivergence',
  tags,
  summary: 'How many commits two revisions have that the other has not',
  request: { params: RepoAddress, query: Revisions },
  responses: { 200: json(Divergence, 'the counts'), ...problems(...comparing) },
})

const TreeQuery = PageQuery.extend({ recursive: flag.optional() })
const Rev = pathParameter('rev', 'refs%2Fpr%2F1')
const treeProblems = problems(
  ...hidden,
  'invalid-revision',
  'revision-not-found',
  'entry-not-found',
  'invalid-cursor',
  'invalid-path',
  'validation-failed',
  'store-unavailable',
)

export const getTree = createRoute({
  method: 'get',
  path: `${repo}/tree/{rev}`,
  operationId: 'getTree',
  tags,
  request: { params: RepoAddress.extend({ rev: Rev }), query: TreeQuery },
  responses: { 200: json(TreeListing, 'the root folder'), ...treeProblems },
})

export const getTreePath = createRoute({
  method: 'get',
  path: `${repo}/tree/{rev}/{path}`,
  operationId: 'getTreePath',
  tags,
  request: {
    params: RepoAddress.extend({ rev: Rev, path: pathParameter('path', 'data%2Ftrain') }),
    query: TreeQuery,
  },
  responses: { 200: json(TreeListing, 'a folder, or one file'), ...treeProblems },
})

export const getBlame = createRoute({
  method: 'get',
  path: `${repo}/blame/{rev}/{path}`,
  operationId: 'getBlame',
  tags,
  summary: 'Which commit each line of a text file comes from',
  description: 'Renames of the whole file are followed. Of a longer file the first 20 000 lines are traced.',
  request: { params: RepoAddress.extend({ rev: Rev, path: pathParameter('path', 'src%2Fmodel.py') }) },
  responses: {
    200: json(Blame, 'the ranges of lines, and their commits'),
    ...problems(...files, 'invalid-revision', 'invalid-path', 'no-blame', 'temporarily-unavailable'),
  },
})

export const createZip = createRoute({
  method: 'post',
  path: `${repo}/zip`,
  operationId: 'createZip',
  tags,
  request: {
    params: RepoAddress,
    query: z.object({
      rev: z.string().optional(),
      path: z.string().optional().openapi({ description: 'Only this folder' }),
    }),
  },
  responses: {
    202: json(Job, 'the job whose result holds the download URL'),
    ...problems(...files, 'invalid-revision', 'invalid-path', 'validation-failed'),
  },
})

export const purgeUnreachable = createRoute({
  method: 'post',
  path: `${repo}/purge-unreachable`,
  operationId: 'purgeUnreachable',
  tags,
  summary: 'Remove at once what no branch, tag or pull request leads to any more',
  request: { params: RepoAddress },
  responses: { 202: json(Job, 'the job that does it'), ...problems(...hidden, 'forbidden') },
})

export const downloadExport = createRoute({
  method: 'get',
  path: '/exports/{id}',
  operationId: 'downloadExport',
  tags,
  request: {
    params: z.object({ id: pathParameter('id', '0198c9a2-7c1d-7000-8000-000000000000') }),
    query: z.object({ exp: z.string(), sig: z.string() }),
  },
  responses: {
    200: {
      description: 'the file that the result of a `zip.export` or `dataset.export` Job links to',
      content: {
        'application/zip': { schema: z.string().openapi({ format: 'binary' }) },
        'application/vnd.apache.parquet': { schema: z.string().openapi({ format: 'binary' }) },
      },
    },
    302: { description: 'where the bucket has it, for a while', headers: z.object({ Location: z.string() }) },
    ...problems(...hidden, 'forbidden', 'gated', 'not-found', 'range-not-satisfiable', 'store-unavailable'),
  },
})
