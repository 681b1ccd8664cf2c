import { describe, expect, test } from 'vitest'
import { searchTextOf } from './card-text.ts'
import { MAX_TEXT_BYTES, plainText } from './plain-text.ts'
import { wordsOf } from './words.ts'

/** The least of three times that a text full of `part` takes. */
function leastMs(part: string): number {
  const text = part.repeat(MAX_TEXT_BYTES / part.length)
  const times = [1, 2, 3].map(() => {
    const start = performance.now()
    searchTextOf(null, text)
    return performance.now() - start
  })
  return Math.min(...times)
}

describe('the text of a card', () => {
  test.each([
    ['# Tiny *BERT*\n\nA **small** `model`', 'Tiny BERT. A small model'],
    ['## What is it?\nA model\n### Use ###\nIt', 'What is it? A model Use. It'],
    ['[![build](https://a.example/b.svg)](https://ci.example/a_(b)) done', 'build done'],
    ['see [the paper](https://arxiv.org/abs/1 "title").', 'see the paper.'],
    ['[text][ref]\n\n[ref]: https://a.example', 'text'],
    ['<div align="center"><img src="x"></div>after', 'after'],
    ['<p>one</p><p><b>two</b>.</p><br/>H<sub>2</sub>O <aside>x</aside>', 'one two. H2O x'],
    ['a <!-- hidden\nlines --> b <!-- open', 'a b'],
    ['<style>p { color: red }</style><script>x()</script>seen', 'seen'],
    ['<https://auto.example> and https://bare.example/x.', 'and'],
    ['| a | b |\n|---|:-:|\n| config_name | __bold__ |', 'a b config_name bold'],
    ['```python\nmodel = load()\n```', 'model = load()'],
    ['- one\n> 1. two\n* three', 'one two three'],
    ['Q&amp;A &lt;s&gt; &unknown;', 'Q&A <s> &unknown;'],
    ['5 \\* 3 \\_ x', '5 * 3 _ x'],
    ['a\0b\ud800c', 'a b c'],
    ['', ''],
  ])('%j reads %j', (markdown, text) => {
    expect(plainText(markdown)).toBe(text)
  })

  test('is cut at 64 KiB, between characters', () => {
    const text = plainText('中'.repeat(MAX_TEXT_BYTES))
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_TEXT_BYTES)
    expect(text).toMatch(/^中+$/)
  })

  test.each([
    '[',
    '](',
    '[a](',
    '[a](b(',
    '<',
    '<a',
    '<!--',
    '_',
    '*',
    '`',
    '> ',
    '1. ',
    '# a#',
    '# aa# ! ',
    '&amp;',
    ' \t|',
    '中',
  ])('takes about as long when it is full of %j as when it is full of words', (mark) => {
    // Twice as long at most, as measured; what looks back at each mark takes a thousand times as long.
    expect(leastMs(mark) / leastMs('word ')).toBeLessThan(20)
  })
})

test.each([
  ['Meta-Llama_3.1/8B', 'meta llama 3 1 8b'],
  ['中文 模型abc', '中 文 模 型 abc'],
  ['Ｆｕｌｌ ﬁne É', 'full fine é'],
  ['हिन्दी', 'हिन्दी'],
  ['🚀 -- \u0301', ''],
  ['x'.repeat(100), 'x'.repeat(64)],
])('the words of %j are %j', (text, words) => {
  expect(wordsOf(text)).toBe(words)
})
