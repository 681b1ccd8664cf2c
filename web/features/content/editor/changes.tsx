import { unifiedMergeView } from '@codemirror/merge'
import { EditorState, Text } from '@codemirror/state'
import { EditorView, lineNumbers } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import classes from './editor.module.css'
import { look } from './look.ts'

/** What a commit of the text would change, unchanged parts folded. */
export default function Changes({ before, text }: { before: string; text: string }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!place.current) return
    const view = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: Text.of(text.split('\n')),
        extensions: [
          EditorState.lineSeparator.of('\n'),
          EditorState.readOnly.of(true),
          EditorView.contentAttributes.of({ 'aria-label': 'Changes' }),
          lineNumbers(),
          unifiedMergeView({
            original: Text.of(before.split('\n')),
            mergeControls: false,
            collapseUnchanged: { margin: 3, minSize: 8 },
          }),
          look,
        ],
      }),
    })
    return () => view.destroy()
  }, [before, text])
  return <div ref={place} className={classes['editor']} />
}
