import {
  body,
  createRoute,
  empty,
  json,
  oneLine,
  problems,
  publicOperation,
  Time,
  z,
} from '../../../core/http/contract.ts'
import { announcementKinds, limits } from '../../../../shared/vocabulary.ts'
import { forAdmins } from '../for-admins.ts'

const bytesOf = (text: string) => Buffer.byteLength(text)

const Name = oneLine(z.string().max(limits.instanceNameLength)).regex(/\S/, 'must not be blank')
const Welcome = z
  .string()
  .regex(/^[^\0]*$/, 'must not contain NUL')
  .regex(/\S/, 'must not be blank')
  .refine((text) => bytesOf(text) <= limits.welcomeBytes, `may have at most ${limits.welcomeBytes} bytes`)
const AnnouncementText = oneLine(z.string().max(limits.announcementLength)).regex(/\S/, 'must not be blank')
const Kind = z.enum(announcementKinds)

export const Look = z
  .object({
    name: z.string().optional().openapi({ description: 'Absent: `Arsenal`.' }),
    welcome: z.string().optional().openapi({ description: 'Markdown for visitors.' }),
    announcement: z
      .object({ text: z.string(), kind: Kind, ends_at: Time.optional() })
      .optional()
      .openapi({ description: 'What pages say above all else.' }),
    logo_url: z
      .string()
      .optional()
      .openapi({ description: 'Path on this server; it changes with the logo.' }),
  })
  .openapi('Look')

const LookUpdate = z
  .strictObject({
    name: Name.optional().openapi({ description: 'Absent: `Arsenal`.' }),
    welcome: Welcome.optional().openapi({
      description: `Markdown, at most ${limits.welcomeBytes} bytes. Absent: the words of the first page.`,
    }),
    announcement: z
      .strictObject({
        text: AnnouncementText,
        kind: Kind,
        ends_at: Time.optional().openapi({ description: 'Absent: it stays until it is taken away.' }),
      })
      .optional(),
  })
  .openapi('LookUpdate')

const tags = ['admin']
const changed = [...forAdmins, 'csrf-token-invalid'] as const

export const getLook = createRoute({
  method: 'get',
  path: '/look',
  operationId: 'getLook',
  tags: ['server'],
  summary: 'How this server looks: name, logo, welcome, announcement',
  ...publicOperation,
  responses: { 200: json(Look, 'the look as of now'), ...problems('bad-credentials', 'invalid-request') },
})

export const getAdminLook = createRoute({
  method: 'get',
  path: '/admin/look',
  operationId: 'getAdminLook',
  tags,
  summary: 'The look as it is set, with an announcement that has ended',
  responses: { 200: json(Look, 'what is set'), ...problems(...forAdmins) },
})

export const updateLook = createRoute({
  method: 'put',
  path: '/admin/look',
  operationId: 'updateLook',
  tags,
  summary: 'Set name, welcome and announcement; pages show them within seconds',
  description: 'What is left out is no longer set.',
  request: { body: body(LookUpdate) },
  responses: { 200: json(Look, 'what is set'), ...problems(...changed, 'validation-failed') },
})

export const setLogo = createRoute({
  method: 'put',
  path: '/admin/look/logo',
  operationId: 'setLogo',
  tags,
  summary: 'Upload the logo: PNG, JPEG or WebP, at most 256 KiB',
  request: {
    body: {
      required: true,
      content: { 'image/*': { schema: z.string().openapi({ format: 'binary' }) } },
    },
  },
  responses: {
    200: json(Look, 'what is set'),
    ...problems(...changed, 'validation-failed', 'store-unavailable'),
  },
})

export const removeLogo = createRoute({
  method: 'delete',
  path: '/admin/look/logo',
  operationId: 'removeLogo',
  tags,
  responses: { 204: empty('the logo of Arsenal is shown again'), ...problems(...changed) },
})
