import { QueryClient, type QueryKey } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { renderToString } from 'react-dom/server'
import { createStaticHandler, createStaticRouter, StaticRouterProvider, type RouteObject } from 'react-router'
import { ApiProblem, createClient, type Client, type Fetch } from '../../shared/client.ts'
import { fileUrl } from '../../shared/transfer.ts'
import { reservedNamespaces, type RepoTypePath } from '../../shared/vocabulary.ts'
import { maxShownBytes, treeQuery } from '../features/content/queries.ts'
import { readmeOf } from '../features/content/readme.ts'
import { Component as DatasetsPage } from '../features/repos/datasets.page.tsx'
import { Component as ModelsPage } from '../features/repos/models.page.tsx'
import { repoQuery, reposQuery } from '../features/repos/queries.ts'
import { formatIn } from '../lib/languages.ts'
import { lookQuery } from '../lib/look.ts'
import { isMirror } from '../lib/repo-context.ts'
import { meQuery } from '../lib/session.ts'
import type { Repo, RepoAddress } from '../lib/types.ts'
import { PageSkeleton } from '../ui/states.tsx'
import { Component as CardPage } from './card.page.tsx'
import { Providers } from './providers.tsx'
import { Component as RepoLayout } from './repo-layout.tsx'
import { Shell } from './shell.tsx'

/** What the server sends of a page before its script has run. */
export interface FirstView {
  /** Whose files the page needs, as the build names them. */
  kind: RepoTypePath | 'card'
  title: string
  html: string
  /** The answers that it shows, for the page's cache, and whose they are; as JSON without `<`. */
  state: string
  /** Addresses whose bytes the page asks for next. */
  next: string[]
}

/** A file whose text is shown on the page. */
export interface CardFile {
  /** The blob, which says what its text is. */
  oid: string
  /** Where its bytes are read by who may. */
  bytes: string
  address: RepoAddress
  rev: string
  path: string
}
/** Answers a card's text as `drawCard` draws it, where the caller may read it and it is there soon. */
export type DrawCard = (card: CardFile) => Promise<string | undefined>

const CardDrawn = createContext<string | undefined>(undefined)

/** The text of a card; `document.tsx` looks for the attribute. */
function DrawnText() {
  const html = useContext(CardDrawn)
  // The markup is React's own, of elements that the sanitiser let through.
  return html === undefined ? <PageSkeleton /> : <div data-card dangerouslySetInnerHTML={{ __html: html }} />
}

const card: RouteObject[] = [{ index: true, element: <CardPage Text={DrawnText} /> }]
const routes: RouteObject[] = [
  {
    path: '/',
    Component: Shell,
    children: [
      { path: 'models', Component: ModelsPage },
      { path: 'datasets', Component: DatasetsPage },
      { path: 'datasets/:ns/:name', Component: RepoLayout, children: card },
      { path: ':ns/:name', Component: RepoLayout, children: card },
    ],
  },
]
const handler = createStaticHandler(routes)
const reserved = new Set<string>(reservedNamespaces)

/** What a page shows, by the keys of its cache, and what it asks for next. */
interface Answers {
  known: [QueryKey, unknown][]
  next?: string[]
  card?: CardFile
}

async function answersOfList(api: Client, type: RepoTypePath): Promise<Answers> {
  const filter = { type, sort: 'updated' } as const
  return { known: [[reposQuery(filter).queryKey, firstPage(await api.listRepos({ query: filter }))]] }
}

async function answersOfCard(api: Client, address: RepoAddress): Promise<Answers | undefined> {
  const repo = await api.getRepo({ params: address })
  // A repo that has moved is shown under its new address, a disabled one to few.
  if (repo.name !== address.name || repo.ns !== address.ns || repo.disabled) return undefined
  const known: Answers['known'] = [[repoQuery(address).queryKey, repo]]
  if (repo.head_commit === undefined) return { known }
  const rev = repo.default_branch
  const tree = await api.getTree({ params: { ...address, rev }, query: { limit: 200 } })
  const readme = readmeOf(tree.entries)
  known.push([treeQuery(address, { rev, path: '' }).queryKey, firstPage(tree)])
  if (!readme || readme.size > maxShownBytes) return { known }
  const { oid, path } = readme
  const file = { oid, bytes: fileUrl(address, tree.commit, path, 'raw'), address, rev, path }
  const isDrawn = !readme.lfs && readme.size > 0 && !hasPartsAbove(repo)
  return { known, next: [fileUrl(address, rev, path)], ...(isDrawn ? { card: file } : {}) }
}

/** What stands above the text comes late, and would push it down before the eyes of who reads it. */
const hasPartsAbove = (repo: Repo) => isMirror(repo) || (repo.type === 'dataset' && repo.formats.length > 0)

const firstPage = (page: unknown) => ({ pages: [page], pageParams: [''] })

/** The kind of the page at a path, and what reads its answers. */
function pageAt(path: string) {
  if (path === '/models' || path === '/datasets') {
    const type = path.slice(1) as RepoTypePath
    return { kind: type, read: (api: Client) => answersOfList(api, type) } as const
  }
  const [, ns = '', name = '', rest] = path.replace(/^\/datasets\//, '/').split('/')
  if (!/^[\w.-]+$/.test(ns) || !/^[\w.-]+$/.test(name) || rest !== undefined) return undefined
  if (reserved.has(ns.toLowerCase())) return undefined
  const type = path.startsWith('/datasets/') ? 'datasets' : 'models'
  return { kind: 'card', read: (api: Client) => answersOfCard(api, { type, ns, name }) } as const
}

/**
 * The page at a path as it looks once its script has run, for one who asks by `ask`: the list of models or of datasets, or
 * the card of a repo, with the text that `drawCard` answers, and with numbers and dates as in `languages`. `undefined` of every other page, and where an answer is refused.
 */
export async function firstView(
  path: string,
  ask: Fetch,
  drawCard: DrawCard,
  languages: readonly string[],
): Promise<FirstView | undefined> {
  const page = pageAt(path)
  if (!page) return undefined
  const api = createClient({ fetch: ask })
  // To visitors it answers nothing; one whose session has ended is a visitor too.
  const whoAsks = async () => (await api.getMe()) ?? null
  const [me, look, answers] = await Promise.all([
    whoAsks().catch((error: unknown) => (isSignedOut(error) ? null : unlessRefused(error))),
    api.getLook(),
    page.read(api).catch(unlessRefused),
  ])
  if (me === undefined || !answers) return undefined
  const text = answers.card && (await drawCard(answers.card))
  const cache = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } })
  for (const [key, answer] of answers.known) cache.setQueryData(key, answer)
  cache.setQueryData(meQuery.queryKey, me)
  cache.setQueryData(lookQuery.queryKey, look)
  const context = await handler.query(new Request(`http://page${path}`))
  if (context instanceof Response) return undefined
  const router = createStaticRouter(handler.dataRoutes, context)
  // Nothing may wait between these two: other pages are drawn meanwhile.
  formatIn(languages)
  const drawn = renderToString(
    <CardDrawn value={text}>
      <Providers queryClient={cache}>
        <StaticRouterProvider router={router} context={context} hydrate={false} />
      </Providers>
    </CardDrawn>,
  )
  cache.clear()
  const [title = ''] = /<title>[^<]*<\/title>/.exec(drawn) ?? []
  // The token against forged requests stays out of what is sent compressed (BREACH); the page asks for it by itself.
  const state = JSON.stringify({ person: me?.id ?? null, known: answers.known }).replaceAll('<', '\\u003c')
  return { kind: page.kind, title, html: drawn.replace(title, ''), state, next: answers.next ?? [] }
}

function unlessRefused(error: unknown): undefined {
  if (!(error instanceof ApiProblem)) throw error
}

const isSignedOut = (error: unknown) => error instanceof ApiProblem && error.status === 401
