import { and, asc, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import type { Check, CheckOptions, Finding } from '../../core/check.ts'
import type { Deps } from '../../core/ctx.ts'
import type { Tables, Tx } from '../../stores/db/index.ts'
import { addressKey, fullKey, redirectKey } from './address.ts'
import { endRedirect, findById, lockRepo, setRepo, type Reader } from './queries.ts'

const PAGE = 500

interface Row {
  repo: Tables['repos']['$inferSelect']
  /** Name of its namespace. */
  ns: string | null
}

interface Page {
  rows: Row[]
  /** Address of a repo here that is redirected as well → its id. */
  redirected: Map<string, string>
}

async function* pages({ db }: Deps, { repoId }: CheckOptions): AsyncGenerator<Page> {
  for (let after = ''; ;) {
    // Of one moment, since a rename moves both.
    const page = await db.snapshot((tx) => readPage(tx, after, repoId))
    yield page
    const last = page.rows.at(-1)
    if (!last || page.rows.length < PAGE) return
    after = last.repo.id
  }
}

async function readPage({ q, t }: Reader, after: string, repoId: string | undefined): Promise<Page> {
  const { repos, namespaces, repo_redirects: r } = t
  const isMeant = repoId === undefined ? undefined : eq(repos.id, repoId)
  const rows = await q
    .select({ repo: repos, ns: namespaces.name })
    .from(repos)
    .leftJoin(namespaces, eq(namespaces.id, repos.namespace_id))
    .where(and(gt(repos.id, after), isNull(repos.purging_at), isMeant))
    .orderBy(asc(repos.id))
    .limit(PAGE)
  const held = new Map<string, string>()
  for (const { repo, ns } of rows)
    if (!repo.deleted_at && ns !== null)
      held.set(redirectKey({ type: repo.type, ns, name: repo.name }), repo.id)
  const both = await q
    .select({ address: r.address })
    .from(r)
    .where(inArray(r.address, [...held.keys()]))
  return { rows, redirected: new Map(both.map(({ address }) => [address, held.get(address) ?? ''])) }
}

/** Every repo has its namespace, and holds the name that no other repo may have in any case. */
function* checkName({ repo, ns }: Row): Generator<Finding> {
  const found = (check: string, message: string): Finding => ({
    check: `repos.${check}`,
    severity: 'error',
    message,
    repo_id: repo.id,
  })
  if (ns === null) yield found('namespace', `${repo.name} belongs to a namespace that is gone`)
  const held = repo.deleted_at ? null : addressKey(repo.type, repo.namespace_id, repo.name)
  const isFound = held === null || ns === null || repo.full_key === fullKey({ ns, name: repo.name })
  if (repo.name_key !== repo.name.toLowerCase() || repo.address_key !== held || !isFound)
    yield found('name', `${repo.name} does not hold its name`)
}

/** An address leads either to the repo that has it or to one that had it. */
async function* checkRedirects({ db }: Deps, { repair }: CheckOptions, page: Page): AsyncGenerator<Finding> {
  for (const [address, id] of page.redirected) {
    if (repair) await db.write((tx) => endStray(tx, address, id))
    yield {
      check: 'repos.redirect',
      severity: 'error',
      message: `${address} is held by a repo and redirected as well`,
      repo_id: id,
      ...(repair ? { repaired: true } : {}),
    }
  }
}

/** The repo may have left the address meanwhile: then the redirect is right. */
async function endStray(tx: Tx, address: string, id: string): Promise<void> {
  await lockRepo(tx, id)
  const repo = await findById(tx, id, '')
  if (repo && !repo.isDeleted && redirectKey(repo) === address) await endRedirect(tx, repo)
}

/** The counter of likes is the number of likes. */
async function* checkLikes({ db }: Deps, { repoId, repair }: CheckOptions): AsyncGenerator<Finding> {
  const { repos, likes } = db.t
  const counted = sql<number>`(select count(*) from ${likes} where ${likes.repo_id} = ${repos.id})`
  const wrong = await db.q
    .select({ id: repos.id, written: repos.likes, counted: counted.mapWith(Number) })
    .from(repos)
    .where(and(sql`${repos.likes} <> ${counted}`, repoId === undefined ? undefined : eq(repos.id, repoId)))
  for (const each of wrong) {
    if (repair)
      await db.write(async (tx) => {
        await lockRepo(tx, each.id)
        await setRepo(tx, each.id, { likes: counted })
      })
    yield {
      check: 'repos.likes',
      severity: 'error',
      message: `${each.counted} likes, the repo's row says ${each.written}`,
      repo_id: each.id,
      ...(repair ? { repaired: true } : {}),
    }
  }
}

/**
 * Each repo has its namespace and its name, no address is both held and redirected (a redirect names a repo, so none can
 * lead in a circle), likes are counted right. Repair ends such redirects and counts again.
 */
export const repoCheck: Check = {
  name: 'repos',
  async *run(deps, options) {
    for await (const page of pages(deps, options)) {
      for (const row of page.rows) yield* checkName(row)
      yield* checkRedirects(deps, options, page)
    }
    yield* checkLikes(deps, options)
  },
}
