import type { Root } from 'hast'
import { treeOf } from './tree.ts'

/** A document to parse. */
export interface ParseRequest {
  text: string
  prefix: string
  /** Page of the repo whose discussions and commits the text refers to. */
  referencesIn?: string | undefined
}
/** Its tree; none of one that cannot be laid out. */
export type ParseAnswer = Root | undefined
/** `ready` comes once, before all answers. */
export type WorkerMessage = ParseAnswer | 'ready'

self.addEventListener('message', ({ data: { text, prefix, referencesIn } }: MessageEvent<ParseRequest>) => {
  void treeOf(text, prefix, referencesIn)
    .catch(() => undefined)
    .then((tree) => self.postMessage(tree satisfies ParseAnswer))
})

self.postMessage('ready' satisfies WorkerMessage)
