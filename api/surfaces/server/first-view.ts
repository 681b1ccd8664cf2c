import type { Context } from 'hono'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parseAccept } from 'hono/utils/accept'
import type { App, Env } from '../../core/http/env.ts'
import { DrawnCards, type Ask, type CardFile } from './drawn-cards.ts'

/** What `web/app/first-view.tsx` answers; it is built beside the pages, with their class names. */
export interface FirstView {
  kind: string
  title: string
  html: string
  state: string
  next: string[]
}
type DrawCard = (card: CardFile) => Promise<string | undefined>
type Draw = (
  path: string,
  ask: Ask,
  drawCard: DrawCard,
  languages: string[],
) => Promise<FirstView | undefined>

/** A page whose answers take longer is sent without them: its script asks again, and shows meanwhile that it waits. */
const deadlineMs = 1000

/** Files below `/assets` that the pages of a kind need at once, as the build found them. */
type FirstFiles = Record<string, string[] | undefined>

export interface Drawing {
  draw: Draw
  cards: DrawnCards
  files: FirstFiles
}

/** What draws pages: loaded with the first one, since it takes memory that a server without visitors need not have. */
export async function loadDrawing(root: string): Promise<Drawing | undefined> {
  const folder = join(root, '..', 'first-view')
  const entry = join(folder, 'first-view.js')
  if (!existsSync(entry)) return undefined
  const { firstView } = (await import(pathToFileURL(entry).href)) as { firstView: Draw }
  const files = JSON.parse(await readFile(join(root, 'first-files.json'), 'utf8')) as FirstFiles
  const cards = new DrawnCards(pathToFileURL(join(folder, 'first-view-card.js')).href)
  return { draw: firstView, cards, files }
}

/** Browsers name at most a handful. */
const maxLanguages = 10

/** The languages of an `Accept-Language` header that there are, the best first, as the page's script finds them. */
export function languagesOf(header: string): string[] {
  const isKnown = (tag: string) => {
    try {
      return Intl.getCanonicalLocales(tag).length > 0
    } catch {
      return false
    }
  }
  const known = parseAccept(header)
    .slice(0, maxLanguages)
    .flatMap(({ type, q }) => (q > 0 && isKnown(type) ? type : []))
  return known.length > 0 ? known : ['en']
}

/**
 * Asks this server as the page's script would in the name of the caller, by the same routes and so the same decisions about
 * access. It never gets past the answer: no cookie is set, nothing goes to the caller's connection.
 */
function askerFor(app: App, c: Context<Env>): Ask {
  return async (path, init = {}) => {
    const headers = new Headers(c.req.raw.headers)
    for (const name of ['Accept-Encoding', 'If-None-Match', 'If-Modified-Since', 'Range'])
      headers.delete(name)
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value)
    const incoming = c.env?.incoming
    const method = init.method === 'HEAD' ? 'HEAD' : 'GET'
    return app.request(new URL(path, c.req.url).href, { method, headers }, incoming ? { incoming } : {})
  }
}

/** The page at the caller's address as it looks once its script has run, where the server can draw it soon. */
export async function drawnFor(
  app: App,
  c: Context<Env>,
  { draw, cards }: Drawing,
): Promise<FirstView | undefined> {
  const ask = askerFor(app, c)
  const { log, signal } = c.var.ctx
  const failed = (what: string) => (err: unknown) => {
    // What a client that has gone asked for ends with errors.
    if (!signal.aborted)
      log.error({ err, path: c.req.path }, `${what} could not be drawn: the page is sent without it`)
    return undefined
  }
  const drawCard: DrawCard = (card) => cards.draw(card, ask, failed('a card'))
  const languages = languagesOf(c.req.header('Accept-Language') ?? '')
  const drawn = draw(c.req.path, ask, drawCard, languages).catch(failed('a first view'))
  return Promise.race([drawn, pause(deadlineMs, undefined, { ref: false })])
}

// Styles are all that the first paint waits for; on a slow line the rest comes behind them.
const linkTo = (file: string) =>
  file.endsWith('.css')
    ? `<link rel="stylesheet" crossorigin href="${file}" />`
    : `<link rel="modulepreload" fetchpriority="low" crossorigin href="${file}" />`

const preload = (address: string) =>
  `<link rel="preload" as="fetch" fetchpriority="low" crossorigin href="${address.replaceAll('&', '&amp;')}" />`

/** The page with what it shows first. Nothing in that can be pressed or typed into before the script has taken it over. */
export function pageWith(page: string, view: FirstView, files: FirstFiles): string {
  const links = [...(files[view.kind] ?? []).map(linkTo), ...view.next.map(preload)].join('\n')
  const answers = `<script type="application/json" id="first-answers">${view.state}</script>`
  const body = `<div id="first-view" inert aria-hidden="true">${view.html}</div>${answers}`
  return page
    .replace('<title>Arsenal</title>', () => view.title)
    .replace('<script type="module"', (script) => `${script} fetchpriority="low"`)
    .replace('</head>', () => `${links}</head>`)
    .replace('<div id="root">', (root) => `${body}${root}`)
}
