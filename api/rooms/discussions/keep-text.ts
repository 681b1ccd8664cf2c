import type { Ctx } from '../../core/ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import { keepUses } from './attachments/uses.ts'
import { notifyMentioned } from './notifications/mentions.ts'

/** Enters what the text of a comment names, once it is written: images and people. */
export async function keepText(
  tx: Tx,
  ctx: Ctx,
  comment: { id: string; repoId: string },
  text: string,
): Promise<void> {
  await keepUses(tx, ctx, comment, text)
  await notifyMentioned(tx, ctx, comment.id, text)
}
