import { expect, test } from 'vitest'
import type { Fetch } from '../../shared/client.ts'
import { firstView as viewWith, type CardFile, type DrawCard } from './first-view.tsx'

const base = '/api/service/v1'
const me = { id: 'u1', username: 'ada', csrf_token: 'secret-token', is_admin: false }
const repo = {
  id: 'r1',
  type: 'model',
  ns: 'ada',
  name: 'bert',
  full_name: 'ada/bert',
  description: '</script><b>Small</b>',
  visibility: 'private',
  formats: [],
  tags: [],
  size_bytes: 1,
  downloads_30d: 0,
  likes: 0,
  liked: false,
  updated_at: '2026-01-01T00:00:00Z',
}
const list = { items: [repo], next_cursor: '', total: 1, facets: {} }

/** A card whose text the page shows, with what is asked of its text. */
const withCard = (changes: object = {}, readme: object = {}) => ({
  '/me': me,
  '/repos/models/ada/bert': {
    ...repo,
    default_branch: 'main',
    head_commit: 'c1',
    gated: false,
    quants: [],
    modalities: [],
    lfs_bytes: 0,
    file_count: 1,
    ...changes,
  },
  '/repos/models/ada/bert/tree/main': {
    commit: 'c1',
    entries: [{ kind: 'file', name: 'README.md', path: 'README.md', oid: 'b1', size: 9, ...readme }],
    next_cursor: '',
  },
})

const firstView = (path: string, ask: Fetch, drawCard: DrawCard = () => Promise.resolve(undefined)) =>
  viewWith(path, ask, drawCard, ['en'])

/** Answers by path, 404 of every other, and what was asked for. */
function given(answers: Record<string, unknown>) {
  const asked: string[] = []
  const ask = (url: string) => {
    const path = url.split('?', 1)[0] ?? ''
    asked.push(path)
    const answer = { '/look': {}, ...answers }[path.replace(base, '')]
    if (answer instanceof Response) return Promise.resolve(answer)
    return Promise.resolve(answer ? Response.json(answer) : new Response('{}', { status: 404 }))
  }
  return { ask, asked }
}

test('a list is drawn with what people wrote escaped, and without the token of the session', async () => {
  const view = await firstView('/models', given({ '/me': me, '/repos': list }).ask)
  expect(view?.kind).toBe('models')
  expect(view?.title).toBe('<title>Models · Arsenal</title>')
  expect(view?.html).toContain('&lt;/script&gt;&lt;b&gt;Small&lt;/b&gt;')
  expect(view?.html).toContain('Account of')
  expect(view?.state).not.toContain('<')
  expect(JSON.parse(view?.state ?? '')).toMatchObject({
    person: 'u1',
    known: [[['repos', { type: 'models' }], {}]],
  })
  expect(JSON.stringify(view)).not.toContain('secret-token')
})

test.each([
  ['a visitor', 204],
  ['one whose session has ended', 401],
])('a list is drawn for %s', async (_, status) => {
  const signedOut = new Response(null, { status })
  const view = await firstView('/models', given({ '/me': signedOut, '/repos': list }).ask)
  expect(view?.html).toContain('Sign in')
  expect(JSON.parse(view?.state ?? '')).toMatchObject({ person: null })
})

test('what is refused is not drawn', async () => {
  expect(await firstView('/models', given({ '/me': me }).ask)).toBe(undefined)
  expect(await firstView('/ada/bert', given({ '/me': me }).ask)).toBe(undefined)
})

test('a repo that has moved is left to the page', async () => {
  const moved = { ...repo, name: 'roberta' }
  expect(await firstView('/ada/bert', given({ '/me': me, '/repos/models/ada/bert': moved }).ask)).toBe(
    undefined,
  )
})

test.each([
  '/',
  '/ada',
  '/datasets/ada',
  '/ada/bert/tree/main',
  '/settings/tokens',
  '/Admin/users',
  '/a%2F/b',
])('nothing is asked for the page at %s', async (path) => {
  const { ask, asked } = given({ '/me': me })
  expect([await firstView(path, ask), asked]).toEqual([undefined, []])
})

test('the text of a card stands in its place', async () => {
  const files: CardFile[] = []
  const view = await firstView('/ada/bert', given(withCard()).ask, (card) => {
    files.push(card)
    return Promise.resolve('<p>What it is for</p>')
  })
  const address = { type: 'models', ns: 'ada', name: 'bert' }
  const bytes = '/ada/bert/raw/c1/README.md'
  expect(files).toEqual([{ oid: 'b1', bytes, address, rev: 'main', path: 'README.md' }])
  expect(view?.html).toMatch(/<article>.*<div data-card="true"><p>What it is for<\/p><\/div>.*<\/article>/s)
  expect(view?.next).toEqual(['/ada/bert/resolve/main/README.md'])
  expect(view?.state).not.toContain('What it is for')
})

test('without a text the page is drawn, and shows that it waits for it', async () => {
  const view = await firstView('/ada/bert', given(withCard()).ask)
  expect(view?.html).toMatch(/<article>.*aria-label="Loading".*<\/article>/s)
})

test.each([
  ['a text below facts that come late', withCard({ mirror: { state: 'active' } })],
  ['a text that is kept as a large file', withCard({}, { lfs: { sha256: 'a', size: 9 } })],
  ['an empty text', withCard({}, { size: 0 })],
  ['a text that the page does not show', withCard({}, { size: 5_000_001 })],
])('%s is left to the page', async (_, answers) => {
  const files: CardFile[] = []
  const view = await firstView('/ada/bert', given(answers).ask, (card) => {
    files.push(card)
    return Promise.resolve('<p>Drawn</p>')
  })
  expect([view?.kind, files]).toEqual(['card', []])
})
