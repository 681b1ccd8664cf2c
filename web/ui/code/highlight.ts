import { useEffect, useState } from 'react'
import type { ColouredRun, HighlightAnswer, HighlightRequest } from './highlight.worker.ts'
import workerUrl from './highlight.worker.ts?worker&url'

export type { ColouredRun } from './highlight.worker.ts'

/** Larger texts are shown uncoloured: colouring them takes longer than reading their first screen. */
const maxCharacters = 300_000

let worker: Worker | undefined
let lastId = 0
const waiting = new Map<number, (lines: ColouredRun[][]) => void>()

function ask(text: string, language: string, answer: (lines: ColouredRun[][]) => void): () => void {
  if (!worker) {
    worker = new Worker(workerUrl, { type: 'module' })
    worker.addEventListener('message', ({ data }: MessageEvent<HighlightAnswer>) => {
      waiting.get(data.id)?.(data.lines)
      waiting.delete(data.id)
    })
  }
  const id = ++lastId
  waiting.set(id, answer)
  worker.postMessage({ id, text, language } satisfies HighlightRequest)
  return () => waiting.delete(id)
}

/** The coloured lines of a text once they are ready; until then, or without a grammar, `undefined`. */
export function useHighlight(text: string, language: string | undefined): ColouredRun[][] | undefined {
  const [done, setDone] = useState<{ text: string; lines: ColouredRun[][] }>()
  useEffect(() => {
    if (!language || text.length > maxCharacters) return
    return void ask(text, language, (lines) => setDone({ text, lines }))
  }, [text, language])
  return done?.text === text && done.lines.length > 0 ? done.lines : undefined
}
