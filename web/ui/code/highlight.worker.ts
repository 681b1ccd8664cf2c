import {
  createHighlighterCore,
  type GrammarState,
  type HighlighterCore,
  type LanguageInput,
} from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'

/** A text to colour; which of its lines is said by `want`. */
export type HighlightRequest =
  | { kind: 'open'; id: number; text: string; language: string }
  /** Colours the lines from `from` to before `upTo`. */
  | { kind: 'want'; id: number; from: number; upTo: number }
  | { kind: 'close'; id: number }
/** A run of characters with its colour in the light and in the dark theme; both are empty where it is that of any text. */
export type ColouredRun = readonly [text: string, light: string, dark: string]
/** Some lines of a text. */
export interface HighlightAnswer {
  id: number
  from: number
  lines: ColouredRun[][]
  isDone: boolean
}

const light = 'github-light-high-contrast'
const dark = 'github-dark-high-contrast'

const grammars: Record<string, LanguageInput> = {
  c: () => import('shiki/langs/c.mjs'),
  cpp: () => import('shiki/langs/cpp.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  diff: () => import('shiki/langs/diff.mjs'),
  docker: () => import('shiki/langs/docker.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  ini: () => import('shiki/langs/ini.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  javascript: () => import('shiki/langs/javascript.mjs'),
  jinja: () => import('shiki/langs/jinja.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  jsx: () => import('shiki/langs/jsx.mjs'),
  julia: () => import('shiki/langs/julia.mjs'),
  kotlin: () => import('shiki/langs/kotlin.mjs'),
  lua: () => import('shiki/langs/lua.mjs'),
  make: () => import('shiki/langs/make.mjs'),
  markdown: () => import('shiki/langs/markdown.mjs'),
  php: () => import('shiki/langs/php.mjs'),
  proto: () => import('shiki/langs/proto.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  r: () => import('shiki/langs/r.mjs'),
  ruby: () => import('shiki/langs/ruby.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  scala: () => import('shiki/langs/scala.mjs'),
  shellscript: () => import('shiki/langs/shellscript.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  swift: () => import('shiki/langs/swift.mjs'),
  toml: () => import('shiki/langs/toml.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  xml: () => import('shiki/langs/xml.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
}

let ready: Promise<HighlighterCore> | undefined

/** The engine without WebAssembly: the page's policy does not allow compiling any. */
function highlighter(): Promise<HighlighterCore> {
  return (ready ??= createHighlighterCore({
    themes: [
      import('shiki/themes/github-light-high-contrast.mjs'),
      import('shiki/themes/github-dark-high-contrast.mjs'),
    ],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  }))
}

/** Coloured at one go, and drawn as one block; between them other requests and presses are answered. */
const stepLines = 50
/**
 * What a line is can depend on every line above it. Lines farther than this below the last coloured one are coloured as
 * if the text began a little above them: a text is wrong there only inside a long string or comment.
 */
const farLines = 2000
const contextLines = 100

interface Doc {
  id: number
  lines: string[]
  language: string
  /** How many lines are coloured from the beginning on, without a gap. */
  at: number
  wants: { from: number; upTo: number }[]
  /** Where the grammar stands after them. */
  state: GrammarState | undefined
  isRunning: boolean
}

const docs = new Map<number, Doc>()

async function run(doc: Doc): Promise<void> {
  const grammar = grammars[doc.language]
  if (doc.isRunning || !grammar) return
  doc.isRunning = true
  const engine = await highlighter()
  await engine.loadLanguage(grammar)
  // What was wanted last is looked at now.
  for (let want = doc.wants.at(-1); want && docs.has(doc.id); want = doc.wants.at(-1)) {
    const upTo = Math.min(want.upTo, doc.lines.length)
    if (doc.at >= upTo) doc.wants.splice(doc.wants.indexOf(want), 1)
    else if (want.from > doc.at + farLines) {
      const from = want.from - contextLines
      answer(doc, from, colour(engine, doc, from, upTo).lines)
      doc.wants.splice(doc.wants.indexOf(want), 1)
    } else next(engine, doc)
    // Lets another request in.
    await new Promise((resolve) => setTimeout(resolve))
  }
  doc.isRunning = false
}

/** The next lines after those that are coloured from the beginning on. */
function next(engine: HighlighterCore, doc: Doc): void {
  const from = doc.at
  const { lines, state } = colour(engine, doc, from, from + stepLines, doc.state)
  doc.state = state
  doc.at = from + lines.length
  answer(doc, from, lines)
}

function answer({ id, at, lines: { length } }: Doc, from: number, lines: ColouredRun[][]): void {
  postMessage({ id, from, lines, isDone: at >= length } satisfies HighlightAnswer)
}

/** Tokens have their colours in upper case, themes in lower case. */
const isTextColour = (engine: HighlighterCore, theme: string, colour: string) =>
  colour.toLowerCase() === engine.getTheme(theme).fg.toLowerCase()

function colour(engine: HighlighterCore, doc: Doc, from: number, upTo: number, state?: GrammarState) {
  const tokens = engine.codeToTokensWithThemes(doc.lines.slice(from, upTo).join('\n'), {
    lang: doc.language,
    themes: { light, dark },
    ...(state ? { grammarState: state } : {}),
  })
  const lines = tokens.map((line) =>
    line.map(({ content, variants }): ColouredRun => {
      const inLight = variants['light']?.color ?? ''
      const inDark = variants['dark']?.color ?? ''
      const isPlain = isTextColour(engine, light, inLight) && isTextColour(engine, dark, inDark)
      return isPlain ? [content, '', ''] : [content, inLight, inDark]
    }),
  )
  return { lines, state: engine.getLastGrammarState(tokens) }
}

addEventListener('message', ({ data }: MessageEvent<HighlightRequest>) => {
  if (data.kind === 'close') return void docs.delete(data.id)
  if (data.kind === 'open') {
    const { id, text, language } = data
    docs.set(id, {
      id,
      lines: text.split('\n'),
      language,
      at: 0,
      wants: [],
      state: undefined,
      isRunning: false,
    })
    return
  }
  const doc = docs.get(data.id)
  if (!doc) return
  doc.wants.push({ from: data.from, upTo: data.upTo })
  void run(doc)
})
