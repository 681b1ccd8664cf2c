import { eq } from 'drizzle-orm'
import { requireInstanceAdmin } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { memo, type Db, type Reads, type Tables } from '../../../stores/db/index.ts'
import type { AnnouncementKind } from '../../../../shared/vocabulary.ts'

interface Reader {
  q: Reads
  t: Tables
}

export interface Announcement {
  text: string
  kind: AnnouncementKind
  endsAt: Date | null
}

/** The words that admins set; `null` where the server's own hold. */
export interface LookWords {
  name: string | null
  welcome: string | null
  announcement: Announcement | null
}

export type LogoRow = Tables['instance_logos']['$inferSelect']

/** How the server looks: its words, and its logo unless that is damaged. */
export interface Look extends LookWords {
  logo: LogoRow | null
}

/** The id of the one row. */
export const lookRow = 'instance'

/** What holds while no admin has set anything. */
export const plainWords: LookWords = { name: null, welcome: null, announcement: null }

/** The words as they are set, an announcement also after its end. */
export async function readWords({ q, t: { instance_look: l } }: Reader): Promise<LookWords> {
  const [row] = await q.select().from(l).where(eq(l.id, lookRow))
  if (!row) return plainWords
  const { name, welcome, announcement: text, announcement_kind: kind, announcement_ends_at: endsAt } = row
  return { name, welcome, announcement: text === null ? null : { text, kind, endsAt } }
}

/** The logo, sound or damaged. */
export async function readLogo({ q, t }: Reader): Promise<LogoRow | undefined> {
  const [row] = await q.select().from(t.instance_logos)
  return row
}

async function readLook(db: Reader): Promise<Look> {
  const logo = await readLogo(db)
  return { ...(await readWords(db)), logo: logo && logo.corrupt_at === null ? logo : null }
}

const hotOf = (db: Db) => memo(db, 1, () => readLook(db))

/** How the server looks to everyone now. Every page reads it, so it is answered from memory while nothing was written. */
export async function openLook({ db, now }: Pick<Ctx, 'db' | 'now'>): Promise<Look> {
  const look = await db.keep(hotOf)(lookRow)
  const { announcement } = look
  const hasEnded = announcement?.endsAt && announcement.endsAt <= now()
  return hasEnded ? { ...look, announcement: null } : look
}

/** What is set, an announcement also after its end. For instance admins. */
export async function getSetLook(ctx: Ctx): Promise<Look> {
  requireInstanceAdmin(ctx.actor)
  return readLook(ctx.db)
}
