import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

// A script of the commands, which has no types.
const { auditDependencies } = (await import(new URL('audit.mjs', import.meta.url).href)) as {
  auditDependencies: (from: {
    registry: string
  }) => Promise<{ status: number; output: string; note?: string }>
}

let stop = () => undefined as unknown
let cache: string
beforeEach(() => {
  // npm remembers advisories by their id and package.
  cache = mkdtempSync(join(tmpdir(), 'arsenal-audit-'))
  vi.stubEnv('npm_config_cache', cache)
})
afterEach(() => {
  stop()
  vi.unstubAllEnvs()
  rmSync(cache, { recursive: true, force: true })
})

/** A registry that answers npm's question for advisories. */
async function registry(answer: RequestListener): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => answer(request, response))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  stop = () => server.close()
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const advisory = (severity: string) => ({
  id: 1,
  url: 'https://advisories.example/1',
  title: 'Reads what it should not',
  severity,
  vulnerable_versions: '*',
  cwe: [],
  cvss: { score: 0, vectorString: null },
})

/** npm also asks for the package and for those that depend on it, to see which versions are affected. */
const withAdvisory = (severity: string) =>
  registry((request, response) => {
    const isQuestion = request.url?.endsWith('/advisories/bulk')
    const name = decodeURIComponent(request.url ?? '').slice(1)
    const versions = { '1.0.0': { name, version: '1.0.0' } }
    const known = { name, versions, 'dist-tags': { latest: '1.0.0' } }
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify(isQuestion ? { hono: [advisory(severity)] } : known))
  })

test('an advisory of severity high for a dependency fails', async () => {
  const answer = await auditDependencies({ registry: await withAdvisory('high') })
  expect(answer.status).toBe(1)
  expect(answer.output).toContain(`high  hono *: Reads what it should not https://advisories.example/1\n`)
})

test('an advisory of severity moderate passes', async () => {
  expect(await auditDependencies({ registry: await withAdvisory('moderate') })).toEqual({
    status: 0,
    output: '',
  })
})

test('a registry that answers no audits passes, and the reason is given', async () => {
  const mirror = await registry((_, response) => response.writeHead(405).end())
  const { status, note } = await auditDependencies({ registry: mirror })
  expect(status).toBe(0)
  expect(note).toMatch(/^not available: 405 Method Not Allowed/)
})

test('a registry that cannot be reached passes, and the reason is given', async () => {
  const { status, note } = await auditDependencies({ registry: 'http://127.0.0.1:1/' })
  expect(status).toBe(0)
  expect(note).toMatch(/^not available: .*ECONNREFUSED/)
})
