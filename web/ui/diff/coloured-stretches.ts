import type { ColouredRun } from '../code/highlight.ts'
import type { Stretch } from './word-marks.ts'

/** The runs of each stretch. What stands there comes from the stretches alone, so a grammar can lose no character. */
export function colouredStretches(
  runs: readonly ColouredRun[],
  stretches: readonly Stretch[],
): ColouredRun[][] {
  let run = 0
  let used = 0
  return stretches.map(({ text }) => {
    const parts: ColouredRun[] = []
    for (let at = 0; at < text.length;) {
      const [content, light, dark] = runs[run] ?? [text.slice(at), '', '']
      const part = text.slice(at, at + content.length - used)
      if (part !== '') parts.push([part, light, dark])
      at += part.length
      used += part.length
      if (used < content.length) continue
      run++
      used = 0
    }
    return parts
  })
}
