import {
  accessFieldKinds,
  accessRequestStatuses,
  gatedModes,
  indexStatuses,
  repoTypes,
  roles,
  scanStatuses,
  visibilities,
  mirrorStates,
} from '../../../shared/vocabulary.ts'
import { facetFields, type FacetField } from '../../core/metadata/index.ts'
import { listOf, Time, z } from '../../core/http/contract.ts'

/** Text that both databases can hold. */
export const Text = z.string().regex(/^[^\0]*$/, 'must not contain NUL')

export const Gated = z
  .union([z.literal(false), z.enum(gatedModes)])
  .openapi({ description: '`false`, or how access requests are answered.' })

const AccessForm = z
  .object({
    heading: z.string().optional(),
    prompt: z.string().optional().openapi({ description: 'Markdown: what one agrees to.' }),
    description: z.string().optional(),
    button: z.string().optional(),
    fields: z.array(
      z.object({
        name: z.string(),
        kind: z.enum(accessFieldKinds),
        options: z.array(z.string()).optional().openapi({ description: 'Of a `select`.' }),
      }),
    ),
  })
  .openapi('AccessForm')

export const Repo = z
  .object({
    id: z.string(),
    type: z.enum(repoTypes),
    ns: z.string(),
    name: z.string(),
    full_name: z.string(),
    visibility: z.enum(visibilities),
    gated: Gated,
    description: z.string().optional(),
    default_branch: z.string(),
    head_commit: z.string().optional(),
    size_bytes: z.int().openapi({ description: 'Of the files at the head of the default branch.' }),
    lfs_bytes: z.int().openapi({ description: 'Of the large files of all revisions, each counted once.' }),
    file_count: z.int(),
    likes: z.int(),
    liked: z.boolean(),
    downloads_30d: z.int(),
    downloads_total: z.int(),
    created_at: Time,
    updated_at: Time,
    deleted_at: Time.optional(),
    restore_until: Time.optional(),
    discussions_enabled: z.boolean(),
    mirror: z
      .object({ upstream: z.string(), repo: z.string(), state: z.enum(mirrorStates) })
      .optional()
      .openapi({ description: 'The repo of another hub that it follows, or did before it was detached.' }),
    disabled: z
      .object({ since: Time, reason: z.string().optional() })
      .optional()
      .openapi({ description: 'Present while an instance admin keeps its content back.' }),
    tags: z.array(z.string()),
    task: z.string().optional(),
    library: z.string().optional(),
    licence: z.string().optional(),
    scan_status: z
      .enum(scanStatuses)
      .openapi({ description: 'That of the worst file at the head of the default branch.' }),
    languages: z.array(z.string()),
    formats: z.array(z.string()),
    quants: z.array(z.string()),
    parameters: z.int().optional(),
    context_length: z.int().optional().openapi({ description: 'Tokens.' }),
    modalities: z.array(z.string()),
    size_category: z.string().optional(),
    rows: z.int().optional().openapi({ description: 'Of a dataset.' }),
    index_status: z.enum(indexStatuses).openapi({
      description: 'Whether what the files say is known: `pending` after a commit until they are read.',
    }),
    my_role: z.enum(roles).optional(),
    access: z
      .enum(['none', ...accessRequestStatuses])
      .optional()
      .openapi({ description: "The caller's access request, on gated repos." }),
    access_form: AccessForm.optional().openapi({
      description: 'Of one gated repo, not in lists: what its card asks of those who want access.',
    }),
    clone_url: z.string(),
    urls: z.object({ page: z.string(), api: z.string() }),
  })
  .openapi('Repo')

const Facet = z.array(z.object({ value: z.string(), count: z.int() }))

export const RepoList = z
  .object({
    items: z.array(Repo),
    next_cursor: z.string(),
    total: z.int(),
    facets: z
      .object(
        Object.fromEntries(facetFields.map((field) => [field, Facet])) as Record<FacetField, typeof Facet>,
      )
      .extend({ mirror: Facet.openapi({ description: '`true`: it follows a repo of another hub.' }) })
      .openapi({
        description: 'Counts with every other filter applied; the 50 most frequent values, and the chosen.',
      }),
  })
  .openapi('RepoList')

export const DeletedRepoList = z
  .object({
    items: z.array(Repo),
    next_cursor: z.string(),
    restore_window_seconds: z
      .int()
      .openapi({ description: 'How long after its deletion a repo can be restored.' }),
  })
  .openapi('DeletedRepoList')

const Description = Text.max(2000)

export const RepoCreate = z
  .strictObject({
    type: z.enum(repoTypes),
    ns: z.string(),
    name: z.string(),
    visibility: z.enum(visibilities).default('private'),
    description: Description.optional(),
    licence: z.string().max(100).optional(),
    gitignore: z.string().max(65_536).optional().openapi({ description: 'Contents of a `.gitignore`.' }),
    gated: Gated.optional(),
    init_readme: z.boolean().default(true),
  })
  .openapi('RepoCreate')

export const RepoUpdate = z
  .strictObject({
    visibility: z.enum(visibilities).optional(),
    gated: Gated.optional(),
    description: Description.optional(),
    default_branch: Text.max(255).optional(),
    discussions_enabled: z.boolean().optional(),
  })
  .openapi('RepoUpdate')

export const AdminRepoUpdate = z
  .strictObject({ disabled: z.boolean(), reason: Text.max(2000).optional() })
  .openapi('AdminRepoUpdate')

export const RenameRequest = z.strictObject({ name: z.string() }).openapi('RenameRequest')
export const TransferRequest = z.strictObject({ ns: z.string() }).openapi('TransferRequest')

export const LikeStatus = z.object({ liked: z.boolean(), likes: z.int() }).openapi('LikeStatus')

const Liker = z
  .object({
    username: z.string(),
    display_name: z.string(),
    avatar_url: z.string(),
    liked_at: Time,
  })
  .openapi('Liker')

export const LikerList = listOf(Liker, 'LikerList')

export const RepoStats = z
  .object({
    days: z
      .array(
        z.object({
          date: z.iso.date(),
          downloads: z.int(),
          bytes: z.int(),
          size_bytes: z.int().optional().openapi({
            description:
              'Of the files at the head of the default branch by then; absent on days before it was first recorded, which is done each night.',
          }),
        }),
      )
      .openapi({ description: 'UTC days up to today, the oldest first.' }),
    downloads_30d: z.int(),
    downloads_total: z.int(),
  })
  .openapi('RepoStats')

const Collaborator = z.strictObject({ username: z.string(), role: z.enum(roles) }).openapi('Collaborator')

// Replaced as a whole, so it comes as a whole.
const collaborators = z.array(Collaborator).max(500)

export const CollaboratorList = z
  .object({
    items: collaborators,
    next_cursor: z.literal('').openapi({ description: 'Empty: this is the whole list.' }),
  })
  .openapi('CollaboratorList')

export const CollaboratorListUpdate = z
  .strictObject({
    items: collaborators,
    next_cursor: z.literal('').optional().openapi({ description: 'As it was read.' }),
  })
  .openapi('CollaboratorListUpdate')

export const AccessRequest = z
  .object({
    id: z.string(),
    user: z.string().openapi({ description: 'Username.' }),
    status: z.enum(accessRequestStatuses),
    message: z.string().optional(),
    fields: z.record(z.string(), z.string()).optional(),
    requested_at: Time,
    decided_at: Time.optional(),
    decided_by: z.string().optional(),
    reason: z.string().optional(),
  })
  .openapi('AccessRequest')

export const AccessRequestList = listOf(AccessRequest, 'AccessRequestList')

export const AccessRequestCreate = z
  .strictObject({
    message: Text.max(2000).optional(),
    fields: z
      .record(Text.max(100), Text.max(2000))
      .refine((fields) => Object.keys(fields).length <= 50, 'may have at most 50 fields')
      .optional(),
  })
  .openapi('AccessRequestCreate')

export const AccessRequestDecision = z
  .strictObject({ status: z.enum(['accepted', 'rejected']), reason: Text.max(2000).optional() })
  .openapi('AccessRequestDecision')
