import { expect, test } from 'vitest'
import { drawCard, type CardText } from './first-view-card.tsx'

const draw = (text: string, more: Partial<CardText> = {}) =>
  drawCard({
    text,
    isWhole: true,
    address: { type: 'models', ns: 'ada', name: 'bert' },
    rev: 'main',
    path: 'README.md',
    ...more,
  })

const paragraphs = (count: number) =>
  Array.from({ length: count }, (_, i) => `Paragraph ${i} of it. ${'Words and more words. '.repeat(20)}\n\n`)

test('a card is drawn as the page shows it', async () => {
  const drawn = await draw(
    '---\nlicense: mit\n---\n# Tiny & small\n\nSee [files](a/b.txt), [more](#use).\n\n> [!TIP]\n> Try.\n',
  )
  expect(drawn).toMatch(/<summary>Metadata<\/summary>/)
  expect(drawn).not.toContain('license')
  expect(drawn).toContain('<h1 id="card-tiny--small">Tiny &amp; small</h1>')
  expect(drawn).toMatch(/<a [^>]*href="\/ada\/bert\/blob\/main\/a\/b\.txt"/)
  expect(drawn).toMatch(/<a [^>]*href="#card-use"/)
  expect(drawn).toContain('<blockquote data-callout="tip">')
  // The styles of the whole page come with the page.
  expect(drawn).not.toMatch(/<style|<title/)
})

test.each([
  '<script>bad()</script>',
  '<img src=x onerror="bad()">',
  '<a href="javascript:bad()">a</a>',
  '[a](javascript:bad\\(\\))',
  '<svg onload="bad()"><style>bad()</style></svg>',
  '<iframe srcdoc="<b>bad()"></iframe>',
  '<form action="/bad()"><input formaction="javascript:bad()"></form>',
  '<div style="background:url(bad())" id="root" name="root">a</div>',
  '<title>bad()</title>',
])('nothing of it runs or names a part of the page: %s', async (html) => {
  const drawn = await draw(`# Title\n\n${html}\n\nText\n`)
  expect(drawn).toContain('Text')
  expect(drawn).not.toMatch(/bad\(|<script|<svg|<form|(?:id|name)="root"|javascript:/)
})

test('what people wrote as text stays text', async () => {
  const drawn = await draw('`<script>` and &lt;b onclick=x&gt;\n\n```html\n</pre><script>x</script>\n```\n')
  expect(drawn).toContain('&lt;script&gt;')
  expect(drawn).toContain('&lt;b onclick=x&gt;')
  expect(drawn).toContain('&lt;/pre&gt;&lt;script&gt;')
})

test('no image is asked for, of this server or of another', async () => {
  const drawn = await draw('![own](a.png) ![other](https://example.org/a.png)\n\n<img src="a.png">\n')
  expect(drawn).not.toContain('<img')
  expect(drawn).toMatch(/<a [^>]*href="https:\/\/example\.org\/a\.png"/)
})

test('a long card ends with the last block that is whole', async () => {
  const all = paragraphs(100)
  const drawn = (await draw(all.join(''))) ?? ''
  const last = [...drawn.matchAll(/Paragraph (\d+) of it\. (?:Words and more words\. ?)+<\/p>/g)].at(-1)
  expect(Number(last?.[1])).toBeGreaterThan(25)
  expect(all.slice(0, Number(last?.[1]) + 2).join('').length).toBeGreaterThan(15 * 1024)
  expect(drawn.match(/<p>/g)?.length).toBe(Number(last?.[1]) + 1)
  expect(drawn.length).toBeLessThan(20 * 1024)
})

test('the beginning of a file ends before what may be a link to a later target', async () => {
  const text = 'First [!] one.\n\nA [link][far] here.\n\nLast.\n\n'
  const more = { isWhole: false }
  expect(await draw(text + paragraphs(3).join(''), more)).not.toContain('link')
  expect(await draw(`${text}[far]: x.md\n\nThe end.\n`, more)).toMatch(/>link<\/a> here.*Last/s)
  expect(await draw(text + paragraphs(3).join(''))).toContain('[link][far] here')
})

test('a formula ends what is drawn', async () => {
  expect(await draw('One.\n\nTwo $x^2$.\n\nThree.\n')).toMatch(/One\.<\/p><\/div>/)
  expect(await draw('$$\nx^2\n$$\n\nThree.\n')).toBe(undefined)
})

test('nothing is drawn of what has no text', async () => {
  expect(await draw('a\0b')).toBe(undefined)
  expect(await draw('---\na: b\n---\n')).toBe(undefined)
  // Metadata without end, which is a text only in a whole file.
  expect(await draw(`---\n${'a: b\n'.repeat(100)}`, { isWhole: false })).toBe(undefined)
  // One line of 17 KiB.
  expect(await draw('word '.repeat(3500))).toBe(undefined)
  // Links take fifty times their text.
  expect(await draw('[](a) '.repeat(2500))).toBe(undefined)
})

test('a document that is nested without end is refused', async () => {
  await expect(draw('> '.repeat(8000).concat('a\n'))).rejects.toThrow(RangeError)
})
