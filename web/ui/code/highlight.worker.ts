import { createHighlighterCore, type HighlighterCore, type LanguageInput } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'

/** One text to colour; answered under the same id. */
export interface HighlightRequest {
  id: number
  text: string
  language: string
}
/** A run of characters with its colour in the light and in the dark theme. */
export type ColouredRun = readonly [text: string, light: string, dark: string]
export interface HighlightAnswer {
  id: number
  lines: ColouredRun[][]
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

async function highlight({ id, text, language }: HighlightRequest): Promise<HighlightAnswer> {
  const grammar = grammars[language]
  if (!grammar) return { id, lines: [] }
  const engine = await highlighter()
  await engine.loadLanguage(grammar)
  const tokens = engine.codeToTokensWithThemes(text, { lang: language, themes: { light, dark } })
  const lines = tokens.map((line) =>
    line.map(({ content, variants }): ColouredRun => [
      content,
      variants['light']?.color ?? '',
      variants['dark']?.color ?? '',
    ]),
  )
  return { id, lines }
}

addEventListener('message', (event: MessageEvent<HighlightRequest>) => {
  void highlight(event.data).then((answer) => postMessage(answer))
})
