import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { markdown, markdownLanguage } from '@codemirror/lang-markdown'
import { yaml, yamlFrontmatter } from '@codemirror/lang-yaml'
import { bracketMatching, indentOnInput } from '@codemirror/language'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { EditorState, Text, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { notifyProblem } from '../../../lib/notify.ts'
import classes from './editor.module.css'
import { completeFrontMatter } from './front-matter-help.ts'
import { look } from './look.ts'
import { vimSlot } from './vim-slot.ts'

/** The text is asked for when it is needed: a copy at every key would hold up a long one. */
export interface TextSource {
  text: () => string
}

interface TextEditorProps {
  initial: string
  /** What the text is compared with. */
  before: string
  name: string
  hasVimKeys: boolean
  onReady: (source: TextSource) => void
  onChange: (isChanged: boolean) => void
}

const languages: [RegExp, () => Extension][] = [
  [
    /\.(md|markdown)$/i,
    () => [
      yamlFrontmatter({ content: markdown({ base: markdownLanguage }) }),
      autocompletion({ override: [completeFrontMatter], icons: false }),
      EditorView.lineWrapping,
    ],
  ],
  [/\.(json|ipynb)$/i, json],
  [/\.ya?ml$/i, yaml],
]

const languageFor = (name: string): Extension =>
  languages.find(([pattern]) => pattern.test(name))?.[1]() ?? autocompletion({ icons: false })

const lines = (text: string) => Text.of(text.split('\n'))

/** A text field for files: numbered lines, search, undo, completion. Only what is in sight is drawn. */
export default function TextEditor(props: TextEditorProps) {
  const { initial, before, name, hasVimKeys, onReady, onChange } = props
  const place = useRef<HTMLDivElement>(null)
  const [vim] = useState(vimSlot)
  const view = useRef<EditorView>(undefined)
  const changed = useEffectEvent(onChange)
  const ready = useEffectEvent(onReady)
  const start = useEffectEvent(() => view.current?.state.doc.toString() ?? initial)
  const startVim = useEffectEvent((made: EditorView) => void vim.turn(made, hasVimKeys).catch(notifyProblem))
  const extension = /\.\w+$/.exec(name)?.[0] ?? ''
  useEffect(() => {
    if (!place.current) return
    const original = lines(before)
    let wasChanged = false
    const made = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: lines(start()),
        extensions: [
          vim.extension,
          // A lone CR is a character of the text, not an end of a line.
          EditorState.lineSeparator.of('\n'),
          lineNumbers(),
          highlightActiveLine(),
          highlightActiveLineGutter(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          search({ top: true }),
          highlightSelectionMatches(),
          languageFor(extension),
          keymap.of([
            ...closeBracketsKeymap,
            ...defaultKeymap,
            ...searchKeymap,
            ...historyKeymap,
            ...completionKeymap,
          ]),
          EditorView.contentAttributes.of({ 'aria-label': 'Text', spellcheck: 'false' }),
          look,
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (!docChanged) return
            const isChanged = !state.doc.eq(original)
            if (isChanged !== wasChanged) changed(isChanged)
            wasChanged = isChanged
          }),
        ],
      }),
    })
    view.current = made
    startVim(made)
    ready({ text: () => made.state.doc.toString() })
    wasChanged = !made.state.doc.eq(original)
    return () => made.destroy()
  }, [before, extension, vim])
  useEffect(() => {
    if (view.current) vim.turn(view.current, hasVimKeys).catch(notifyProblem)
  }, [hasVimKeys, vim])
  return <div ref={place} className={classes['editor']} />
}
