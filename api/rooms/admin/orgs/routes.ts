import {
  createRoute,
  json,
  listOf,
  oneLine,
  PageQuery,
  problems,
  Time,
  z,
} from '../../../core/http/contract.ts'

export const AdminOrg = z
  .object({
    ns: z.string(),
    display_name: z.string(),
    members: z.int(),
    admins: z.array(z.string()),
    repos: z.int(),
    storage_bytes: z.int(),
    quota_bytes: z.int().optional(),
    created_at: Time,
  })
  .openapi('AdminOrg')

export const listAdminOrgs = createRoute({
  method: 'get',
  path: '/admin/orgs',
  operationId: 'listAdminOrgs',
  tags: ['admin'],
  request: {
    query: PageQuery.extend({
      q: oneLine(z.string().max(254))
        .default('')
        .openapi({ description: 'Is part of the name or the display name.' }),
    }),
  },
  responses: {
    200: json(listOf(AdminOrg, 'AdminOrgList'), 'Organisations in name order'),
    ...problems('unauthenticated', 'forbidden', 'insufficient-scope'),
  },
})
