import { beforeAll, expect, test } from 'vitest'
import { reservedNamespaces, reservedRepoNames } from '../../../../shared/vocabulary.ts'
import { buildApp } from '../../../app/app.ts'
import { eachDatabase } from '../../../testing.ts'
import type { App } from '../../../core/http/env.ts'
import { baseRequest, send } from '../testing/base-request.ts'
import { stateOf } from '../testing/dump.ts'
import { fortyHex } from '../testing/hostile.ts'
import { operationsOf, type Operation } from '../testing/operations.ts'
import { givenScene, type Scene } from '../testing/scene.ts'

const words = (text: string): string[] => text.split(' ')
const never = [
  '',
  ' ',
  ...words('. .. ... ../x a/../b /x x/ a//b \\..\\x .git a\0b a\nb a\x7Fb \u202Egnp.exe \uD800'),
]
const notNames = [
  ...never,
  ...words('-x x- .x x. a/b a--b a..b x.git x.GIT x.ipynb é'),
  'a b',
  'x'.repeat(97),
]
const notRefs = [
  ...never,
  ...words('refs/heads/x HEAD @ a@{b -x a.lock a.lock/b a/.b a. a~b a^b a:b a?b a*b a[b a\\b main/below'),
  'a b',
  fortyHex,
  'x'.repeat(2000),
]
const notPaths = [
  ...never.filter((path) => path !== ' ' && path !== '...'),
  ...words('a\\b ./a a/./b .GIT/config a/.Git/b .git. git~1 GIT~1/x .g\u200Cit .git::$INDEX_ALLOCATION'),
  '.git ',
  '.git. .',
  'x'.repeat(256),
  'é'.repeat(600),
  `${'d/'.repeat(64)}x`,
]

type Place = [
  operation: string,
  what: string,
  refused: (scene: Scene) => string[],
  body: (scene: Scene, name: string) => object,
]

const swapCase = (name: string) =>
  name.replaceAll(/[a-z]/gi, (c) => (c < 'a' ? c.toLowerCase() : c.toUpperCase()))
const upper = (words: readonly string[]) => words.flatMap((word) => [word, word.toUpperCase()])
const commitOf = (...operations: object[]) => ({ title: 'change', operations })
const sha256 = '0'.repeat(64)

const places: Place[] = [
  [
    'createRepo',
    'name',
    ({ repo }) => [...notNames, ...upper(reservedRepoNames), repo.name, swapCase(repo.name)],
    ({ repo }, name) => ({ type: repo.type, ns: repo.ns, name }),
  ],
  [
    'renameRepo',
    'name',
    ({ gated }) => [...notNames, ...upper(reservedRepoNames), swapCase(gated.name)],
    (_, name) => ({ name }),
  ],
  [
    'createOrg',
    'ns',
    ({ owner, org }) => [...notNames, ...upper(reservedNamespaces), swapCase(owner.username), swapCase(org)],
    (_, ns) => ({ ns }),
  ],
  ['createBranch', 'name', () => [...notRefs, 'main', 'draft'], (_, name) => ({ name })],
  [
    'createTag',
    'name',
    () => [...notRefs.filter((name) => name !== 'main/below'), 'v1', 'v1/below'],
    (_, name) => ({ name }),
  ],
  ['createCommit', 'path of a file', () => notPaths, (_, path) => commitOf({ op: 'add', path, text: 'x' })],
  [
    'createCommit',
    'target of a copy',
    () => notPaths,
    (_, to) => commitOf({ op: 'copy', from: 'old.txt', to }),
  ],
  [
    'createCommit',
    'path beside its twin',
    () => ['TWIN.txt', 'Twin.TXT', 'twin.txt/below'],
    (_, path) => commitOf({ op: 'add', path: 'twin.txt', text: 'x' }, { op: 'add', path, text: 'y' }),
  ],
  [
    'createCommit',
    'path below a file',
    () => ['old.txt/below'],
    (_, path) => commitOf({ op: 'add', path, text: 'x' }),
  ],
  ['planUploads', 'path', () => notPaths, (_, path) => ({ files: [{ path, size: 9, sha256 }] })],
]

eachDatabase('bad names', (world) => {
  let app: App
  let scene: Scene
  let operations: Operation[]
  beforeAll(async () => {
    app = buildApp(world.deps, { state: 'ready', check: async () => undefined })
    scene = await givenScene(world)
    operations = await operationsOf(app)
  })

  test.each(places)('%s refuses every name that may not be: %s', async (id, _, refused, bodyOf) => {
    const operation = operations.find((one) => one.id === id)
    if (!operation) throw new Error(`there is no operation ${id}`)
    const base = await baseRequest(app, operation, scene)
    const before = await stateOf(world)
    const accepted: string[] = []
    for (const name of refused(scene)) {
      const answer = await send(app, operation, scene, { ...base, body: bodyOf(scene, name) })
      const { code } = (await answer.json()) as { code?: string }
      const isRefused =
        answer.status === 422 || (answer.status === 409 && /-(?:taken|exists)$/.test(code ?? ''))
      if (!isRefused) accepted.push(`${JSON.stringify(name.slice(0, 80))}: ${answer.status} ${code}`)
    }
    expect(accepted).toEqual([])
    expect(await stateOf(world)).toEqual(before)
  })
})
