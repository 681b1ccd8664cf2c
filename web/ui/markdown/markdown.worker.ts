import type { Root } from 'hast'
import { treeOf } from './tree.ts'

/** A document to parse. */
export interface ParseRequest {
  text: string
  prefix: string
}
/** Its tree; none of one that cannot be laid out. */
export type ParseAnswer = Root | undefined

self.addEventListener('message', ({ data: { text, prefix } }: MessageEvent<ParseRequest>) => {
  void treeOf(text, prefix)
    .catch(() => undefined)
    .then((tree) => self.postMessage(tree satisfies ParseAnswer))
})
