import { jobStatuses } from '../../../shared/vocabulary.ts'
import { body, createRoute, json, listOf, PageQuery, problems, Time, z } from '../../core/http/contract.ts'
import { forAdmins } from './for-admins.ts'

const count = z.int()
const bytes = z.int()
const jobCounts = Object.fromEntries(jobStatuses.map((status) => [status, count])) as Record<
  (typeof jobStatuses)[number],
  typeof count
>

const Storage = z.object({
  disk: z
    .object({ free_bytes: bytes, total_bytes: bytes })
    .optional()
    .openapi({ description: 'The disk beneath the blob store, where it has one.' }),
  lfs: z
    .object({
      count,
      bytes,
      links: count.openapi({ description: 'How many repos name each object, summed.' }),
      logical_bytes: bytes.openapi({ description: 'What the repos would hold if each had its own copy.' }),
      saved_bytes: bytes.openapi({ description: '`logical_bytes` less one copy of each.' }),
      unreferenced_count: count,
      unreferenced_bytes: bytes.openapi({
        description: 'Named by no repo: freed by `gc` when that lasts for `gc.grace_period`.',
      }),
      corrupt_count: count,
    })
    .openapi({ description: 'LFS objects.' }),
  git: z
    .object({
      count,
      bytes,
      retired_count: count,
      retired_bytes: bytes.openapi({ description: 'Replaced; freed after `git.pack_grace_period`.' }),
    })
    .openapi({ description: 'Live packs with their indexes.' }),
  uploads: z
    .object({ count, bytes, expected_bytes: bytes })
    .openapi({ description: 'Uploads under way: parts that have come, and what was announced.' }),
  chunks: z
    .object({
      mode: z.enum(['ingest', 'reject']).openapi({ description: '`hubapi.chunk`.' }),
      retention_seconds: z.int().openapi({ description: '`chunk.xorb_retention`.' }),
      count,
      bytes: bytes.openapi({ description: 'Bodies as stored.' }),
      unpacked_bytes: bytes,
      oldest_due_at: Time.optional().openapi({
        description: 'When the container unused for longest expires; the next `gc` if that is past.',
      }),
      due_7d_bytes: bytes.openapi({ description: 'Expires within 7 days unless used again.' }),
      pinned_count: count,
      pinned_bytes: bytes.openapi({ description: 'Kept for rebuilds under way, whatever their age.' }),
      rebuilt_count: count,
      rebuilt_bytes: bytes.openapi({ description: 'LFS objects that were rebuilt from chunks.' }),
    })
    .openapi({ description: 'Chunk containers (xorbs), which stand beside the objects rebuilt from them.' }),
  deletions: z.object({ count, due_count: count }).openapi({
    description: 'Keys of the store that no row names: of bytes to be deleted, and of puts under way.',
  }),
})

export const AdminOverview = z
  .object({
    at: Time.openapi({ description: 'When this was counted; it is kept for some seconds.' }),
    storage: Storage,
    jobs: z.object({ ...jobCounts, failed_24h: count }),
    counts: z.object({ models: count, datasets: count, deleted_repos: count, users: count, orgs: count }),
    server: z
      .object({
        version: z.string(),
        node: z.string(),
        role: z.enum(['all', 'web', 'worker']),
        started_at: Time,
        database: z.object({ engine: z.enum(['sqlite', 'postgres']), version: z.string(), bytes }),
      })
      .openapi({ description: 'The process that answers; others may work beside it.' }),
  })
  .openapi('AdminOverview')

export const getAdminOverview = createRoute({
  method: 'get',
  path: '/admin/overview',
  operationId: 'getAdminOverview',
  tags: ['admin'],
  summary: 'What is stored, what it costs, how the jobs stand, what runs',
  responses: {
    200: json(AdminOverview, 'The figures'),
    ...problems('unauthenticated', 'forbidden', 'insufficient-scope'),
  },
})

const Quota = z
  .object({
    ns: z.string(),
    kind: z.enum(['user', 'org']),
    display_name: z.string(),
    used_bytes: bytes.openapi({ description: 'Packs and large files of its repos, each large file once.' }),
    quota_bytes: bytes.optional().openapi({ description: 'Absent: any number.' }),
  })
  .openapi('Quota')

export const listQuotas = createRoute({
  method: 'get',
  path: '/admin/quotas',
  operationId: 'listQuotas',
  tags: ['admin'],
  summary: 'What each namespace holds and may hold, by name',
  request: { query: PageQuery },
  responses: {
    200: json(listOf(Quota, 'QuotaList'), 'A page of namespaces'),
    ...problems(...forAdmins, 'invalid-cursor', 'validation-failed'),
  },
})

export const updateQuota = createRoute({
  method: 'patch',
  path: '/admin/quotas',
  operationId: 'updateQuota',
  tags: ['admin'],
  summary: 'Set how many bytes a namespace may hold',
  request: {
    body: body(
      z
        .strictObject({
          ns: z.string(),
          quota_bytes: bytes.min(0).nullable().openapi({ description: '`null` lifts the limit.' }),
        })
        .openapi('QuotaUpdate'),
    ),
  },
  responses: {
    200: json(Quota, 'The quota'),
    ...problems(...forAdmins, 'csrf-token-invalid', 'invalid-request', 'validation-failed', 'not-found'),
  },
})
