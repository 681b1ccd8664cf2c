import {
  createHighlighterCore,
  type GrammarState,
  type HighlighterCore,
  type LanguageInput,
} from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'

/** A text to colour, line by line from its beginning; how far is said by `want`. */
export type HighlightRequest =
  | { kind: 'open'; id: number; text: string; language: string }
  /** Colours at least the first `upTo` lines. */
  | { kind: 'want'; id: number; upTo: number }
  | { kind: 'close'; id: number }
/** A run of characters with its colour in the light and in the dark theme. */
export type ColouredRun = readonly [text: string, light: string, dark: string]
/** The next lines of a text, in order and without gaps. */
export interface HighlightAnswer {
  id: number
  from: number
  lines: ColouredRun[][]
  isDone: boolean
}

/** Coloured at one go; between them other requests are read. */
const stepLines = 200

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

interface Doc {
  id: number
  lines: string[]
  language: string
  /** How many lines are coloured, and how many shall be. */
  at: number
  upTo: number
  /** Where the grammar stands after the last coloured line. */
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
  while (docs.has(doc.id) && doc.at < Math.min(doc.upTo, doc.lines.length)) {
    step(engine, doc)
    // Lets a `close` or a further `want` in.
    await new Promise((resolve) => setTimeout(resolve))
  }
  doc.isRunning = false
}

function step(engine: HighlighterCore, doc: Doc): void {
  const from = doc.at
  const next = doc.lines.slice(from, from + stepLines)
  const tokens = engine.codeToTokensWithThemes(next.join('\n'), {
    lang: doc.language,
    themes: { light, dark },
    ...(doc.state ? { grammarState: doc.state } : {}),
  })
  doc.state = engine.getLastGrammarState(tokens)
  doc.at = from + next.length
  const lines = tokens.map((line) =>
    line.map(({ content, variants }): ColouredRun => [
      content,
      variants['light']?.color ?? '',
      variants['dark']?.color ?? '',
    ]),
  )
  postMessage({ id: doc.id, from, lines, isDone: doc.at >= doc.lines.length } satisfies HighlightAnswer)
}

addEventListener('message', ({ data }: MessageEvent<HighlightRequest>) => {
  if (data.kind === 'close') return void docs.delete(data.id)
  if (data.kind === 'open') {
    const { id, text, language } = data
    const lines = text.split('\n')
    docs.set(id, { id, lines, language, at: 0, upTo: 0, state: undefined, isRunning: false })
    return
  }
  const doc = docs.get(data.id)
  if (!doc) return
  doc.upTo = Math.max(doc.upTo, data.upTo)
  void run(doc)
})
