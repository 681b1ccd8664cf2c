import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** What has an outline, and what it is. A card has none: it stands on the page by `frame` or `raised` of `ui.module.css`, or by Paper. */
const outlined: Record<string, string> = {
  'app/base.css .skip-link': 'a button',
  'app/shell.module.css .places': 'a menu',
  'app/shell.module.css .results': 'a menu',
  'features/content/editor/editor.module.css .frame': 'a field',
  'features/discussions/discussions.module.css .eventIcon': 'a mark',
  'features/discussions/discussions.module.css .suggestion': 'code',
  'features/discussions/discussions.module.css .preview': 'a field',
  'features/discussions/discussions.module.css .reactions button': 'a button',
  'features/discussions/discussions.module.css .suggestions': 'a menu',
  'features/discussions/marks/marks.module.css .options': 'a field',
  'ui/code/code.module.css .block pre': 'code',
  'ui/grid/value.module.css .turn': 'a speech bubble',
  'ui/markdown/markdown.module.css .document :is(td, th)': 'a table',
  'ui/markdown/markdown.module.css .inline': 'code',
  'ui/ui.module.css .command': 'code',
  'ui/ui.module.css .mark': 'a mark',
}

it('gives outlines to fields, buttons, menus, tables and code, and to no card', () => {
  const files = readdirSync('web', { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.css') && !file.includes('node_modules'),
  )
  const found = files.flatMap((file) =>
    [...readFileSync(`web/${file}`, 'utf8').matchAll(/([^{}]+)\{([^{}]*)\}/g)].flatMap(([, before, rule]) =>
      /\bborder: 1px solid var\(--(?:mantine-color-default-border|app-line)\)/.test(rule ?? '')
        ? [`${file} ${before?.trim().split('\n').at(-1)}`]
        : [],
    ),
  )
  expect(found.toSorted()).toEqual(Object.keys(outlined).toSorted())
})
