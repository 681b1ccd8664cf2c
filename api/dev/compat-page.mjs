// The compatibility page: what the client tests recorded of each row of the hub protocol, as docs/compatibility.md and as
// a page of the server. `npm test` fails when they are stale; `node api/dev/compat-page.mjs --write` makes them again from
// the reports of the last run.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { main, root } from './run.mjs'

const inRoot = (path) => join(root, path)
const readJson = (path) => JSON.parse(readFileSync(inRoot(path), 'utf8'))
const pageFile = 'web/features/docs/compatibility.gen.json'
const documentFile = 'docs/compatibility.md'
const reportOf = (stage) => inRoot(`.cache/reports/rows-${stage}.jsonl`)

/** Where the tests of a stage append what they prove: one line `{ client, row, passed, test }` per row. */
export const rowsEnvironment = (stage) => ({ ARSENAL_ROWS: reportOf(stage) })

/** The rows of the protocol with who calls them (`e2e/compat/rows.json`, `clients.json`). */
export function readTables() {
  return { ...readJson('e2e/compat/rows.json'), ...readJson('e2e/compat/clients.json') }
}

function recordsOf(stages) {
  const files = stages.map(reportOf).filter((file) => existsSync(file))
  const lines = files.flatMap((file) => readFileSync(file, 'utf8').split('\n').filter(Boolean))
  return lines.map((line) => JSON.parse(line))
}

/** Why a client does not call a row: a key of `reasons`, or nothing when it does. */
export function reasonFor({ absent = {}, calls, otherwise }, row) {
  if (calls) return calls.includes(row) ? undefined : otherwise
  return Object.keys(absent).find((reason) => absent[reason].includes(row))
}

/**
 * The page: rows × clients, each cell `passed`, `failed` or the letter of a reason. A client whose stage did not run keeps
 * the cells it has on `before`. `faults` are what cannot stand on a page: failed cells, and calls of what is said to have none.
 */
export function makePage(tables, records, hasRun, before) {
  const reasons = Object.keys(tables.reasons)
  const letter = (reason) => String.fromCharCode('a'.charCodeAt(0) + reasons.indexOf(reason))
  const faults = []
  const cellOf = (client, row) => {
    const own = records.filter((record) => record.client === client.client && record.row === row)
    const reason = reasonFor(client, row)
    if (reason && own.length > 0) faults.push(`${client.client} calls ${row}, which clients.json denies`)
    if (reason) return letter(reason)
    const kept = before?.rows.find((each) => each.row === row)?.cells[before.clients.indexOf(client.client)]
    if (!hasRun(client.stage)) return kept ?? 'failed'
    return own.length > 0 && own.every(({ passed }) => passed) ? 'passed' : 'failed'
  }
  const rowsOf = (rows, isSupported) =>
    rows.map(({ row, purpose }) => {
      const cells = tables.clients.map((client) => cellOf(client, row))
      cells.forEach((cell, i) => cell === 'failed' && faults.push(`${tables.clients[i].client}: ${row}`))
      if (!cells.includes('passed')) faults.push(`no test proves ${row}`)
      return { row, purpose, isSupported, cells }
    })
  const page = {
    clients: tables.clients.map(({ client }) => client),
    reasons: Object.fromEntries(reasons.map((reason) => [letter(reason), tables.reasons[reason]])),
    rows: [...rowsOf(tables.supported, true), ...rowsOf(tables.not_supported, false)],
  }
  return { page, faults }
}

const signs = { passed: '✓', failed: '✗' }
const line = (cells) => `| ${cells.join(' | ')} |`

function markdownTable({ clients, rows }, isSupported) {
  const head = ['Row', 'Purpose', ...clients.map((_, i) => i + 1)]
  const body = rows.filter((row) => row.isSupported === isSupported)
  return [
    line(head),
    line(head.map(() => '---')),
    ...body.map(({ row, purpose, cells }) =>
      line([row.includes('/') ? `\`${row}\`` : row, purpose, ...cells.map((cell) => signs[cell] ?? cell)]),
    ),
  ].join('\n')
}

/** The page as a document. */
export function markdownOf(page) {
  const supported = page.rows.filter(({ isSupported }) => isSupported)
  const green = supported.filter(({ cells }) => cells.includes('passed') && !cells.includes('failed'))
  const list = (entries) => entries.map(([sign, text]) => `- ${sign}: ${text}`).join('\n')
  return `# Compatibility

${green.length} of ${supported.length} rows of the hub protocol are served, each proven by every client that calls it. This page is made
by the tests (\`npm test\`), from what they checked and from what the server's log says was called; do not edit it. The
running server shows it at \`/docs/compatibility\`.

Clients:

${page.clients.map((client, i) => `${i + 1}. ${client}`).join('\n')}

Signs:

${list([['✓', 'a test called it with this client and checked what came back'], ['✗', 'such a test failed'], ...Object.entries(page.reasons)])}

## Served

${markdownTable(page, true)}

## Not served, and refused in a way that clients can explain

${markdownTable(page, false)}
`
}

const jsonOf = (page) => `${JSON.stringify(page, null, 1)}\n`
const isKept = (file, text) => existsSync(inRoot(file)) && readFileSync(inRoot(file), 'utf8') === text

/** Makes the page of the last reports; writes it, or says what is stale. Answers { faults }, none when all is well. */
export function compatPage({ isWritten = false } = {}) {
  const tables = readTables()
  const stages = [...new Set(tables.clients.map(({ stage }) => stage))]
  const before = existsSync(inRoot(pageFile)) ? readJson(pageFile) : undefined
  const { page, faults } = makePage(tables, recordsOf(stages), (stage) => existsSync(reportOf(stage)), before)
  const files = [
    [pageFile, jsonOf(page)],
    [documentFile, markdownOf(page)],
  ]
  if (isWritten) for (const [file, text] of files) writeFileSync(inRoot(file), text)
  const stale = files.filter(([file, text]) => !isKept(file, text)).map(([file]) => file)
  return {
    faults: [...faults, ...stale.map((file) => `${file} is stale: run node api/dev/compat-page.mjs --write`)],
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await main(async () => {
    const { faults } = compatPage({ isWritten: process.argv.includes('--write') })
    for (const fault of faults) process.stdout.write(`${fault}\n`)
    process.exitCode = faults.length === 0 ? 0 : 1
  })
