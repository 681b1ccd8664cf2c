import type { Context } from 'hono'
import { clientCommit, openRevision, readCard, type Revision } from '../../../rooms/content/index.ts'
import type { Env } from '../../../core/http/env.ts'
import { readDetails, requireRepo, type Repo, type RepoDetails } from '../../../rooms/repos/index.ts'
import { revisionScan } from '../../../rooms/scans/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { addressOf } from '../wire/address.ts'
import { countChildren } from '../../../rooms/indexing/index.ts'
import { childrenOf, keyOf } from './children.ts'
import { checkExpand, describe, infoKeys, needsOf, type InfoKeys } from './info-fields.ts'
import { queryOf } from '../wire/pages.ts'
import { flagOf, listOf } from '../wire/params.ts'
import { sendJson, withSiblings } from '../files/json-stream.ts'
import { siblingsJson } from './siblings.ts'

/** Keys of `expand`, repeated or separated by commas. Problem `invalid-request` for one that no hub knows. */
export function expandOf(query: URLSearchParams, type: Repo['type']): string[] {
  const expand = listOf(query, 'expand').flatMap((key) => key.split(','))
  checkExpand(type, expand)
  return expand
}

function keysOf(query: URLSearchParams, type: Repo['type']): InfoKeys {
  const expand = expandOf(query, type)
  const withStatus = flagOf(query.get('securityStatus'))
  if (expand.length === 0)
    return { keys: [...infoKeys[type], ...(withStatus ? ['securityRepoStatus'] : [])], isExpanded: false }
  if (withStatus || flagOf(query.get('blobs')))
    throw new Problem('invalid-request', { detail: '"expand" excludes "blobs" and "securityStatus".' })
  return { keys: expand, isExpanded: true }
}

/** The card at the commit asked for; the head's was read when the branch moved. */
async function cardAt(revision: Revision, repo: Repo, details: RepoDetails) {
  if (revision.commit === repo.headCommit) return details.card
  return (await readCard(revision))?.frontMatter ?? null
}

/** `GET /api/{t}/{repo}[/revision/{rev}]` */
export async function describeHubRepo(c: Context<Env>): Promise<Response> {
  const { ctx } = c.var
  const query = queryOf(c)
  const repo = await requireRepo(ctx, addressOf(c), 'repo.read')
  const wanted = keysOf(query, repo.type)
  const revision = await openRevision(ctx, repo.id, c.req.param('rev') ?? '')
  const { commit } = revision
  const shown = clientCommit(revision)
  const needs = needsOf(wanted.keys)
  const details = await readDetails(ctx.db, repo.id)
  const described = {
    repo,
    details,
    commit: shown,
    card: needs.parts.includes('card') ? await cardAt(revision, repo, details) : null,
    // Known of the head alone; until a new one is read, what was known stays.
    findings: commit === repo.headCommit ? details.findings : null,
    children: needs.children ? childrenOf(await countChildren(ctx, [keyOf(repo)]), repo) : undefined,
    takesChunks: ctx.config.hubapi.chunk === 'ingest',
    ...(needs.security && { security: await revisionScan(ctx, revision) }),
  }
  const view = describe(described, wanted)
  const files = { repoId: repo.id, commit, withBlobs: flagOf(query.get('blobs')) }
  const siblings = needs.siblings ? siblingsJson(ctx, files) : undefined
  return sendJson(c, { 'X-Repo-Commit': shown }, withSiblings(view, siblings))
}
