import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { reservedNamespaces, reservedRepoNames } from '../../../shared/vocabulary.ts'
import { buildApp } from '../../app/app.ts'
import { eachDatabase } from '../../testing.ts'

/** Addresses of the pages, as the page's router declares them. */
function pages(): string[] {
  const source = readFileSync(new URL('../../../web/app/router.tsx', import.meta.url), 'utf8')
  const routes = source.slice(source.indexOf('const routes: RouteObject[]'))
  return [...routes.matchAll(/path: '([^']+)'/g)].flatMap(([, path]) => path ?? [])
}

const segmentsOf = (path: string) => path.split('/').filter((segment) => segment !== '')
const isWord = (segment: string | undefined): segment is string =>
  segment !== undefined && /^[\w.-]+$/.test(segment)
const isNamespace = (segment: string | undefined) => segment === ':ns' || segment === ':name'

eachDatabase('reserved names', (world) => {
  const addresses = () => {
    const app = buildApp(world.deps, { state: 'ready', check: async () => undefined })
    return [...app.routes.map(({ path }) => path), ...pages()].map(segmentsOf)
  }

  test('no namespace can have the name of a route or page', () => {
    const first = new Set(
      addresses()
        .map(([segment]) => segment)
        .filter(isWord),
    )
    expect([...first].filter((word) => !(reservedNamespaces as readonly string[]).includes(word))).toEqual([])
    expect(first.size).toBeGreaterThan(15)
  })

  test('no repo can have the name of a route or page below its namespace', () => {
    const below = new Set(
      addresses().flatMap(([ns, word]) => (isNamespace(ns) && isWord(word) ? [word] : [])),
    )
    expect([...below].filter((word) => !(reservedRepoNames as readonly string[]).includes(word))).toEqual([])
    expect(below).toContain('resolve')
  })
})
