import { serveFilesAsync } from '../../core/parsers/index.ts'
import type { CardFile, CardOrder } from './drawn-cards.ts'

/** What `web/app/first-view-card.tsx` exports. */
interface Drawing {
  drawCard: (card: CardFile & { text: string; isWhole: boolean }) => Promise<string | undefined>
}

// A document that is nested without end exhausts the stack.
const isFault = (error: unknown) => error instanceof RangeError

serveFilesAsync<CardOrder, string | undefined>(async ({ entry, isWhole, card }, file) => {
  const bytes = await file.read(0, file.sizeBytes)
  const { drawCard } = (await import(entry)) as Drawing
  // What was cut off may end within a character.
  const text = new TextDecoder().decode(bytes, { stream: !isWhole })
  return drawCard({ ...card, text, isWhole })
}, isFault)
