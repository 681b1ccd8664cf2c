import type { z } from '@hono/zod-openapi'
import { time } from '../../../core/http/contract.ts'
import type { Look as LookNow } from './look.ts'
import type { Look } from './routes.ts'

/** Path of the logo, whose bytes never change. Pages load it from the host they were opened under. */
const logoPath = ({ id, type }: NonNullable<LookNow['logo']>): string => `/avatars/logo/${id}.${type}`

/** The look as the API shows it; what is not set is left out. */
export function viewLook({ name, welcome, announcement, logo }: LookNow): z.output<typeof Look> {
  return {
    ...(name !== null && { name }),
    ...(welcome !== null && { welcome }),
    ...(announcement && {
      announcement: {
        text: announcement.text,
        kind: announcement.kind,
        ...(announcement.endsAt && { ends_at: time(announcement.endsAt) }),
      },
    }),
    ...(logo && { logo_url: logoPath(logo) }),
  }
}
