import { createRoute, json, problems, RepoRef, Time, z } from '../../../core/http/contract.ts'
import { Job } from '../../../core/jobs/routes.ts'
import { KEPT_DAYS } from './days.ts'
import { forAdmins } from '../for-admins.ts'

const bytes = z.int()

const StorageDay = z
  .object({
    date: z.string().openapi({ example: '2026-03-01', description: 'UTC.' }),
    lfs_bytes: bytes,
    git_bytes: bytes,
    chunk_bytes: bytes,
    upload_bytes: bytes,
    saved_bytes: bytes.openapi({
      description: 'What the repos would hold more if each had its own copy of an LFS object.',
    }),
  })
  .openapi('StorageDay')

export const StorageReport = z
  .object({
    counted_at: Time.optional().openapi({
      description: 'The last count; absent before the first. It is made every hour.',
    }),
    days: z.array(StorageDay).openapi({
      description:
        'Days since the first count, the oldest first. A day without a count is as the day before.',
    }),
    repos: z
      .array(z.object({ repo: RepoRef, bytes, is_deleted: z.boolean() }))
      .openapi({ description: 'The largest by packs and large files, 20 at most.' }),
    namespaces: z
      .array(
        z.object({ ns: z.string(), kind: z.enum(['user', 'org']), bytes, quota_bytes: bytes.optional() }),
      )
      .openapi({ description: 'The largest by what counts for quotas, 20 at most.' }),
  })
  .openapi('StorageReport')

export const getStorage = createRoute({
  method: 'get',
  path: '/admin/storage',
  operationId: 'getStorage',
  tags: ['admin'],
  summary: 'What was stored day by day, and the largest repos and namespaces',
  request: { query: z.strictObject({ days: z.coerce.number().int().min(1).max(KEPT_DAYS).default(90) }) },
  responses: { 200: json(StorageReport, 'The report'), ...problems(...forAdmins, 'validation-failed') },
})

export const startStorageCount = createRoute({
  method: 'post',
  path: '/admin/storage/count',
  operationId: 'startStorageCount',
  tags: ['admin'],
  summary: 'Count what is stored now, and find the largest repos and namespaces',
  responses: {
    202: json(Job, 'the job; one that has not ended is answered instead'),
    ...problems(...forAdmins, 'csrf-token-invalid'),
  },
})
