import { expect, test } from 'vitest'
import { fileURLToPath } from 'node:url'
import { citationFaults, findCitationFaults, sectionsOf } from './check-citations.ts'

// Escaped, or the check would find the citations of this file.
const s = '\u00a7'
const docs = 'docs'
const wire = `# The wire\n\n## 7 Upload\n\n### 7.2 Commit\n\n| L5 | git |\n`
const documents = new Map([['wire', sectionsOf(wire)]])

const faultsOf = (text: string, file = 'api/a.ts') =>
  citationFaults(file, text, documents, (path) => path === 'docs/api.md')

test('headings and named rows are sections', () => {
  expect([...sectionsOf(wire)]).toEqual(['7', '7.2', 'L5'])
})

test.each([
  `// wire.md ${s}7.2`,
  `/** As \`wire.md\` ${s}7.2 says (RFC 8628 ${s}3.5, RFC 6749 ${s}5.2). */`,
  `// (wire.md ${s}7, ${s}7.2, wire.md ${s}7, L5; FIPS 180-4 ${s}4.2.2)`,
  `/**\n * Wraps (wire.md\n * ${s}7.2).\n */`,
  `# See docs/api.md.`,
  `// The batch (git-lfs: docs/api/batch.md).`,
  `const path = 'docs/notes.md'`,
])('%j cites what there is', (text) => {
  expect(faultsOf(text)).toEqual([])
})

test.each([
  [`\n// wire.md ${s}7.3`, 'api/a.ts:2: docs/protocols/wire.md has no section 7.3'],
  [`// wire.md ${s}7.2, ${s}9`, 'api/a.ts:1: docs/protocols/wire.md has no section 9'],
  [`// wire.md ${s}7, L9`, 'api/a.ts:1: docs/protocols/wire.md has no section L9'],
  [`/**\n * wire.md\n * ${s}8\n */`, 'api/a.ts:2: docs/protocols/wire.md has no section 8'],
  [`// paper.md ${s}1`, `api/a.ts:1: there is no ${docs}/protocols/paper.md`],
  [`// as in ${s}7`, `api/a.ts:1: ${s}7 names no document; write <document>.md before it`],
  [`/* see ${docs}/none.md */`, `api/a.ts:1: there is no ${docs}/none.md`],
])('%j is found', (text, fault) => {
  expect(faultsOf(text)).toEqual([fault])
})

test('a document of the folder cites its own sections by number', () => {
  expect(faultsOf(`As ${s}7.2 says.`, 'docs/protocols/wire.md')).toEqual([])
  expect(faultsOf(`As ${s}7.9 says.`, 'docs/protocols/wire.md')).toEqual([
    'docs/protocols/wire.md:1: docs/protocols/wire.md has no section 7.9',
  ])
})

test('all that this repository cites is there', () => {
  expect(findCitationFaults(fileURLToPath(new URL('../..', import.meta.url)))).toEqual([])
})
