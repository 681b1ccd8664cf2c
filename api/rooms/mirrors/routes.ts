import {
  mirrorFidelities,
  mirrorHistories,
  mirrorStates,
  mirrorTrackings,
  namePattern,
  pullFileStatuses,
  repoTypes,
  visibilities,
} from '../../../shared/vocabulary.ts'
import { Job } from '../../core/jobs/routes.ts'
import { body, createRoute, json, problems, RepoAddress, Time, z } from '../../core/http/contract.ts'
import { Repo } from '../repos/schemas.ts'
import { SelectionSchema } from './selection/schema.ts'

export const Selection = z.strictObject(SelectionSchema.shape).openapi('Selection')

export const Mirror = z
  .object({
    upstream: z.string(),
    repo: z.string().openapi({ description: 'Its name at the upstream.' }),
    revision: z.string(),
    selection: Selection,
    tracking: z.enum(mirrorTrackings),
    schedule: z.string().optional().openapi({ description: 'Five fields of cron, in `server.timezone`.' }),
    history: z.enum(mirrorHistories),
    fidelity: z.enum(mirrorFidelities),
    state: z.enum(mirrorStates),
    upstream_commit: z.string().optional(),
    local_commit: z.string().optional(),
    behind: z.boolean().optional().openapi({ description: 'The upstream was further when last asked.' }),
    behind_by: z
      .int()
      .optional()
      .openapi({ description: 'By how many commits, where the upstream says so in time.' }),
    last_sync_at: Time.optional(),
    next_sync_at: Time.optional(),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
    bytes_present: z.int(),
    bytes_total: z.int(),
    previous: z
      .array(
        z.object({
          commit: z.string(),
          synced_at: Time,
          job: z.string().optional(),
          rewritten: z.boolean().optional().openapi({
            description: 'The upstream has rewritten its history since: it no longer leads here.',
          }),
        }),
      )
      .openapi({ description: 'Other commits that were synced, the newest first; 100 at most.' }),
  })
  .openapi('Mirror')

const MirrorUpdate = z
  .strictObject({
    selection: Selection.optional(),
    tracking: z.enum(mirrorTrackings).optional(),
    schedule: z.string().min(1).max(100).nullable().optional(),
    history: z.enum(mirrorHistories).optional(),
  })
  .openapi('MirrorUpdate')

const revision = z.string().min(1).max(255)
const fullName = z
  .string()
  .regex(/^[\w.-]{1,96}\/[\w.-]{1,96}$/)
  .openapi({ example: 'acme/tiny-bert' })

const PullCreate = z
  .strictObject({
    upstream: z.string().min(1).max(64),
    type: z.enum(repoTypes),
    repo: fullName,
    revision: revision.optional().openapi({ description: '`main` unless given.' }),
    selection: Selection.optional().openapi({ description: 'All files unless given.' }),
    target_ns: z.string().regex(namePattern).optional(),
    visibility: z.enum(visibilities).optional(),
    tracking: z.enum(mirrorTrackings).optional(),
    history: z.enum(mirrorHistories).optional(),
    with_dependencies: z
      .strictObject({ code: z.boolean().optional(), base_models: z.boolean().optional() })
      .optional(),
  })
  .openapi('PullCreate')

const PulledFile = z.object({
  path: z.string(),
  size: z.int(),
  done: z.int(),
  status: z.enum(pullFileStatuses),
  error: z.string().optional(),
})

export const Pull = Job.extend({
  files: z.array(PulledFile).openapi({ description: 'The large files, by path; 5000 at most.' }),
  note: z.string().optional().openapi({ description: 'Why it waits.' }),
  warnings: z.array(z.string()).openapi({ description: 'What did not come, and why.' }),
  parent: z.string().optional().openapi({ description: 'The pull that this one is a dependency of.' }),
  children: z.array(z.string()),
}).openapi('Pull')

export const Provenance = z
  .object({
    path: z.string(),
    upstream: z.string(),
    repo: z.string(),
    commit: z.string(),
    sha256: z.string(),
    size: z.int(),
    fetched_at: Time,
    job: z.string().optional(),
    username: z
      .string()
      .optional()
      .openapi({ description: 'Who asked for it; absent for anonymous readers.' }),
    verified: z.enum(['sha256', 'linked', 'git']).openapi({
      description:
        '`sha256`: transferred and hashed; `linked`: the same bytes were here; `git`: a small file, whose git id is that of the tree.',
    }),
  })
  .openapi('Provenance')

const P = '/repos/{type}/{ns}/{name}'
const tags = ['mirrors']
const seen = [
  ...([
    'unauthenticated',
    'insufficient-scope',
    'repo-not-found',
    'repo-disabled',
    'validation-failed',
  ] as const),
] as const
const changed = [
  ...(['bad-credentials', 'token-expired', 'forbidden', 'csrf-token-invalid', 'not-found'] as const),
] as const
const ofUpstream = ['upstream-unavailable', 'upstream-throttled'] as const
const params = RepoAddress

export const getMirror = createRoute({
  method: 'get',
  path: `${P}/mirror`,
  operationId: 'getMirror',
  tags,
  request: { params },
  responses: {
    200: json(Mirror, 'where the repo comes from, and how far it is'),
    ...problems(...seen, 'not-found'),
  },
})

export const updateMirror = createRoute({
  method: 'patch',
  path: `${P}/mirror`,
  operationId: 'updateMirror',
  tags,
  request: { params, body: body(MirrorUpdate) },
  responses: { 200: json(Mirror, 'the changed mirror'), ...problems(...seen, ...changed) },
})

export const syncMirror = createRoute({
  method: 'post',
  path: `${P}/mirror/sync`,
  operationId: 'syncMirror',
  tags,
  request: { params },
  responses: {
    202: json(Job, 'queued; one that has not ended is answered instead'),
    ...problems(...seen, ...changed),
  },
})

export const detachMirror = createRoute({
  method: 'post',
  path: `${P}/mirror/detach`,
  operationId: 'detachMirror',
  tags,
  request: { params },
  responses: { 200: json(Repo, 'an ordinary repo from now on'), ...problems(...seen, ...changed) },
})

export const pullIntoMirror = createRoute({
  method: 'post',
  path: `${P}/mirror/pull`,
  operationId: 'pullIntoMirror',
  tags,
  request: { params, body: body(Selection) },
  responses: { 202: json(Job, 'queued'), ...problems(...seen, ...changed) },
})

export const listProvenance = createRoute({
  method: 'get',
  path: `${P}/provenance`,
  operationId: 'listProvenance',
  tags,
  request: {
    params,
    query: z.object({ rev: revision.optional(), path: z.string().min(1).max(1024).optional() }),
  },
  responses: {
    200: json(
      z.object({ items: z.array(Provenance), next_cursor: z.string() }).openapi('ProvenanceList'),
      'where large files came from, and small ones of the revision; 1000 at most',
    ),
    ...problems(...seen, 'revision-not-found', 'entry-not-found'),
  },
})

export const createPull = createRoute({
  method: 'post',
  path: '/pulls',
  operationId: 'createPull',
  tags,
  request: { body: body(PullCreate) },
  responses: {
    202: json(Job, 'queued; an equal one that has not ended is answered instead'),
    ...problems(
      ...([
        'unauthenticated',
        'bad-credentials',
        'token-expired',
        'forbidden',
        'insufficient-scope',
      ] as const),
      ...([
        'csrf-token-invalid',
        'not-found',
        'gated',
        'name-taken',
        'invalid-name',
        'validation-failed',
      ] as const),
      ...(['storage-full', ...ofUpstream] as const),
    ),
  },
})

export const getPull = createRoute({
  method: 'get',
  path: '/pulls/{id}',
  operationId: 'getPull',
  tags,
  request: { params: z.object({ id: z.uuid().openapi({ param: { name: 'id', in: 'path' } }) }) },
  responses: {
    200: json(Pull, 'the job with its files'),
    ...problems('unauthenticated', 'insufficient-scope', 'not-found'),
  },
})
