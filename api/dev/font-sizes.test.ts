import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { theme } from '../../web/app/theme.ts'

const steps = Object.keys(theme.fontSizes ?? {})
const isStep = (value: string) => steps.some((step) => value === `var(--mantine-font-size-${step})`)
/** A size of the scale, of a heading, or in relation to the text around it. */
const isOnScale = (value: string) =>
  value === 'inherit' ||
  /^[\d.]+em$/.test(value) ||
  /^var\(--mantine-h[1-4]-font-size\)$/.test(value) ||
  isStep(value.replace(/^var\(--document-font-size, (.*)\)$/, '$1'))

/** Each font size in `text` that is on no step of the scale. */
function faultsIn(file: string, text: string): string[] {
  const sizes = file.endsWith('.css')
    ? [...text.matchAll(/[{;\s](?:font-size|font): ([^;]+);/g)].map(
        (found) => (found[1] ?? '').split(' /')[0],
      )
    : [
        ...[...text.matchAll(/\bfontSize(?:: |=\{?)['"`]?([^'"`,}]+)/g)].map((found) => found[1]),
        ...[...text.matchAll(/\bfz=(?:"([^"]+)"|\{([^}]+)\})/g)].flatMap((found) =>
          found[1] === undefined ? numbersIn(found[2] ?? '') : [`var(--mantine-font-size-${found[1]})`],
        ),
        ...[...text.matchAll(/<(?:Text|Title|Anchor)\b[^>]*\bsize=\{?["']?(\d[^"'}\s]*)/g)].map(
          (it) => it[1],
        ),
      ]
  return sizes.flatMap((size = '') => (isOnScale(size.trim()) ? [] : [`${file}: ${size}`]))
}
const numbersIn = (value: string) => value.match(/(?<!['"\w])\d+(?!\w)/g) ?? []

/** The text layer of a PDF has the sizes of its document; the steps themselves are in the theme. */
const isOwn = (file: string) => /pdf\.module\.css$|app\/theme\.ts$|\.test\.ts$|node_modules/.test(file)

describe('font sizes', () => {
  it('finds a size that is on no step', () => {
    const css = '.a {\n  font-size: 15px;\n}\n.b {\n  font: 12px/18px serif;\n}\n'
    expect(faultsIn('a.css', css)).toEqual(['a.css: 15px', 'a.css: 12px/18px serif'])
    const tsx = `<Text fz={28} /><b style={{ fontSize: '1rem' }} /><Title size="17px" /><Text fz={{ base: 9 }} />`
    expect(faultsIn('a.tsx', tsx)).toEqual(['a.tsx: 1rem', 'a.tsx: 28', 'a.tsx: 9', 'a.tsx: 17px'])
    expect(faultsIn('b.tsx', `<Text fz={{ base: '2xl' }} size="sm" />`)).toEqual([])
  })

  it('are seven, and every text of the pages has one of them', () => {
    expect(Object.values(theme.fontSizes ?? {})).toEqual([
      '12px',
      '13px',
      '14px',
      '16px',
      '20px',
      '24px',
      '32px',
    ])
    const files = readdirSync('web', { recursive: true, encoding: 'utf8' })
      .map((file) => `web/${file}`)
      .filter((file) => /\.(?:css|tsx?)$/.test(file) && !isOwn(file))
    expect(files.length).toBeGreaterThan(300)
    expect(files.flatMap((file) => faultsIn(file, readFileSync(file, 'utf8')))).toEqual([])
  })
})
