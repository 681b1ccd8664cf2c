import { limits, uploadStatuses } from '../../../shared/vocabulary.ts'
import { body, createRoute, json, problems, RepoAddress, Time, z } from '../../core/http/contract.ts'
import { MAX_OBJECT_BYTES } from './receive/part-size.ts'
import { admitToRepo } from '../repos/index.ts'

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hex digits')
const Size = z.int().min(0).max(MAX_OBJECT_BYTES)
const MAX_FILES = 1000

/** Part numbers count from 1. */
const partNumber = () => z.int().min(1).max(limits.partNumberMax)

export const UploadPlanRequest = z
  .strictObject({
    files: z
      .array(
        z.strictObject({
          path: z.string().min(1).max(limits.pathBytes),
          size: Size,
          sha256: Sha256,
          sample: z.base64().max(1024).optional().openapi({ description: 'The first 512 bytes, in base64.' }),
        }),
      )
      .min(1)
      .max(MAX_FILES),
    revision: z.string().max(limits.pathBytes).optional(),
    create_pull_request: z
      .boolean()
      .optional()
      .openapi({ description: 'The commit is to open a pull request onto the revision' }),
  })
  .openapi('UploadPlanRequest')

const PartTarget = z
  .object({ n: partNumber(), url: z.string(), headers: z.record(z.string(), z.string()) })
  .openapi('UploadPartTarget')

export const UploadPlan = z
  .object({
    files: z.array(
      z.object({
        path: z.string(),
        mode: z.enum(['inline', 'skip', 'upload']).openapi({
          description:
            '`inline`: send it in the commit. `skip`: name it in the commit, you may use the object already. `upload`: send it first.',
        }),
        upload: z
          .object({
            id: z.string(),
            part_size: z.int(),
            parts: z.array(PartTarget),
            expires_at: Time,
            complete_url: z.string(),
          })
          .optional(),
      }),
    ),
  })
  .openapi('UploadPlan')

export const UploadedPart = z
  .object({ n: partNumber(), size: z.int(), etag: z.string() })
  .openapi('UploadedPart')

export const UploadStatus = z
  .object({
    id: z.string(),
    path: z.string().optional(),
    size: z.int(),
    sha256: z.string(),
    status: z.enum(uploadStatuses),
    part_size: z.int(),
    parts: z.array(UploadedPart),
    bytes_received: z.int(),
    expires_at: Time,
  })
  .openapi('UploadStatus')

export const UploadComplete = z
  .strictObject({
    parts: z.array(z.strictObject({ n: partNumber(), etag: z.string().max(200) })).max(limits.partNumberMax),
  })
  .openapi('UploadComplete')

const UploadAddress = RepoAddress.extend({
  id: z.uuid().openapi({ param: { name: 'id', in: 'path' } }),
})
const PartAddress = UploadAddress.extend({
  n: z.coerce
    .number()
    .int()
    .min(1)
    .max(limits.partNumberMax)
    .openapi({ param: { name: 'n', in: 'path' }, type: 'integer' }),
})

const uploads = '/repos/{type}/{ns}/{name}/uploads'

export const planUploads = createRoute({
  method: 'post',
  path: uploads,
  operationId: 'planUploads',
  tags: ['uploads'],
  summary: 'Plan which files to send before a commit',
  largeBody: admitToRepo('repo.open-pull-request'),
  request: { params: RepoAddress, body: body(UploadPlanRequest) },
  responses: {
    200: json(UploadPlan, 'what to do with each file, in the order asked'),
    ...problems(
      'unauthenticated',
      'forbidden',
      'insufficient-scope',
      'repo-not-found',
      'revision-not-found',
      'validation-failed',
      'quota-exceeded',
    ),
  },
})

export const getUpload = createRoute({
  method: 'get',
  path: `${uploads}/{id}`,
  operationId: 'getUpload',
  tags: ['uploads'],
  summary: 'Read an upload and the parts it has, to go on with it',
  request: { params: UploadAddress },
  responses: {
    200: json(UploadStatus, 'the upload'),
    ...problems('unauthenticated', 'forbidden', 'insufficient-scope', 'repo-not-found', 'not-found'),
  },
})

export const putUploadPart = createRoute({
  method: 'put',
  path: `${uploads}/{id}/parts/{n}`,
  operationId: 'putUploadPart',
  tags: ['uploads'],
  summary: 'Send one part; sent again it replaces the one before',
  request: {
    params: PartAddress,
    body: {
      required: true,
      content: { 'application/octet-stream': { schema: z.string().openapi({ format: 'binary' }) } },
    },
  },
  responses: {
    200: {
      ...json(UploadedPart, 'the stored part'),
      headers: z.object({ ETag: z.string() }),
    },
    ...problems(
      'unauthenticated',
      'forbidden',
      'insufficient-scope',
      'repo-not-found',
      'not-found',
      'invalid-request',
      'state-conflict',
      'unsupported-media-type',
      'size-mismatch',
      'store-unavailable',
    ),
  },
})

export const completeUpload = createRoute({
  method: 'post',
  path: `${uploads}/{id}/complete`,
  operationId: 'completeUpload',
  tags: ['uploads'],
  summary: 'Join the parts and prove SHA-256 and size; may be repeated',
  largeBody: admitToRepo('repo.open-pull-request'),
  request: { params: UploadAddress, body: body(UploadComplete) },
  responses: {
    200: json(UploadStatus, 'the complete upload'),
    ...problems(
      'unauthenticated',
      'forbidden',
      'insufficient-scope',
      'repo-not-found',
      'not-found',
      'state-conflict',
      'validation-failed',
      'digest-mismatch',
      'size-mismatch',
      'store-unavailable',
    ),
  },
})
