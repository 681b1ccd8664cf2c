import type { Ctx } from '../../core/ctx.ts'

/** The program that signs in, as the audit log and the list of sign-ins name it: one line of its user agent. */
export const clientOf = ({ origin }: Pick<Ctx, 'origin'>): string =>
  origin.userAgent.replaceAll(/\p{Cc}+/gu, ' ').slice(0, 200)
