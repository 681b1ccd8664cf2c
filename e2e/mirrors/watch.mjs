// Stands where clients ask for a server, and looks at all that they are sent.
import assert from 'node:assert/strict'
import { startBetween } from './between.mjs'

/** Enough to hold any text that is looked for, over the border of two chunks. */
const overlap = 200

/**
 * As `startBetween`, with `bytes`, how many have been sent, and `requireNothingOf(texts)`: fails where a head or body that was
 * sent had one of them.
 */
export async function startWatch() {
  const watch = await startBetween()
  const bodies = new Map()
  watch.spoil = (chunk, entry) => {
    const { texts, last } = bodies.get(entry) ?? { texts: [], last: '' }
    watched.bytes += chunk.length
    const text = chunk.toString('latin1')
    // Bytes of large files are their own; heads and texts are small.
    if (!isLarge(entry)) texts.push(last + text)
    bodies.set(entry, { texts, last: text.slice(-overlap) })
    return chunk
  }
  const watched = Object.assign(watch, {
    bytes: 0,
    requireNothingOf(texts) {
      assert.ok(watch.asked.length > 0)
      for (const entry of watch.asked.splice(0)) {
        const sent = [JSON.stringify(entry.answer ?? {}), ...(bodies.get(entry)?.texts ?? [])]
        for (const text of texts)
          assert.ok(
            !sent.some((part) => part.includes(text)),
            `${entry.method} ${entry.url} was answered with ${text}`,
          )
      }
      bodies.clear()
    },
  })
  return watched
}

const isLarge = ({ answer }) => Number(answer?.['content-length'] ?? 0) > 2 ** 20
