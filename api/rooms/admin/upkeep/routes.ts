import { body, createRoute, json, problems, Time, z } from '../../../core/http/contract.ts'
import { Job } from '../../../core/jobs/routes.ts'
import { forAdmins } from '../for-admins.ts'

const BlobFault = z
  .object({
    kind: z
      .string()
      .openapi({ description: '`lfs`, `packs`, `chunks`, `attachments`, `avatars` or `logo`.' }),
    key: z.string().openapi({ description: 'Where the bytes lie in the blob store.' }),
    subject: z.string().openapi({ description: 'SHA-256 of a large file, id of a pack or an image.' }),
    message: z.string(),
    found_at: Time,
  })
  .openapi('BlobFault')

export const Upkeep = z
  .object({
    held_until: Time.optional().openapi({ description: 'A backup holds deletions until then at most.' }),
    gc: z
      .object({
        job_id: z.string(),
        at: Time,
        dry_run: z.boolean(),
        report: z.record(z.string(), z.unknown()),
      })
      .optional()
      .openapi({ description: 'The last run of `gc` that ended well: what it freed, or would free.' }),
    scrubs: z.array(
      z.object({
        kind: z.string(),
        round_started_at: Time,
        read_bytes: z.int(),
        finished_at: Time.optional().openapi({ description: 'When all of them had last been read.' }),
      }),
    ),
    faults: z.array(BlobFault).openapi({ description: 'Damaged bytes, 100 at most.' }),
  })
  .openapi('Upkeep')

export const getUpkeep = createRoute({
  method: 'get',
  path: '/admin/upkeep',
  operationId: 'getUpkeep',
  tags: ['admin'],
  summary: 'What gc would free, how far stored bytes were read again, and what is damaged',
  responses: { 200: json(Upkeep, 'The state of the upkeep'), ...problems(...forAdmins) },
})

export const startGc = createRoute({
  method: 'post',
  path: '/admin/gc',
  operationId: 'startGc',
  tags: ['admin'],
  summary: 'Free unused storage now, or only report what would be freed',
  request: {
    body: body(
      z
        .strictObject({ dry_run: z.boolean().openapi({ description: 'Only report; nothing is deleted.' }) })
        .openapi('GcRequest'),
    ),
  },
  responses: {
    202: json(Job, 'the job; one that has not ended is answered instead'),
    ...problems(...forAdmins, 'csrf-token-invalid', 'invalid-request', 'validation-failed'),
  },
})
