import type { Context } from 'hono'
import { z } from '@hono/zod-openapi'
import { validateYaml } from '../../rooms/content/index.ts'
import type { App, Env } from '../../core/http/env.ts'
import { accessRows } from './community/access.ts'
import { repoTypeOf } from './wire/address.ts'
import { checkAccess } from './community/auth-check.ts'
import { bodyOf } from './wire/bodies.ts'
import { collectionRows } from './community/collections.ts'
import { createHubCommit } from './files/commit.ts'
import { discussionRows } from './community/discussions.ts'
import { duplicateHubRepo } from './repos/duplicate.ts'
import { sendCroissant } from './datasets/croissant.ts'
import { listParquet, listParquetOfConfig, listParquetOfSplit, sendParquet } from './datasets/parquet.ts'
import { sendHubFile } from './files/files.ts'
import {
  createHubBranch,
  createHubTag,
  deleteHubBranch,
  deleteHubTag,
  listHubCommits,
  listHubRefs,
  squashHubBranch,
} from './files/history.ts'
import { whoAmI } from './community/identity.ts'
import { describeHubRepo } from './repos/info.ts'
import { listHubRepos } from './repos/list.ts'
import { likeRows } from './community/likes.ts'
import { changeHubSettings, createHubRepo, deleteHubRepo, moveHubRepo } from './repos/manage.ts'
import { mountNotOffered } from './wire/not-offered.ts'
import { planHubUpload } from './files/preupload.ts'
import { profileRows } from './community/profiles.ts'
import { mountSingleNameFiles, mountSingleNames, orSingleName } from './wire/single-names.ts'
import { storageRows } from './repos/storage.ts'
import { sendTagsByType } from './files/tags.ts'
import { describeHubScan } from './files/security.ts'
import { sendShardHeaders } from './files/shard-headers.ts'
import { describeHubPaths, listHubTree } from './files/tree.ts'
import { webhookRows } from './community/webhooks.ts'
import { issueWriteToken, refuseChunks } from './files/write-token.ts'

type Handler = (c: Context<Env>) => Promise<Response>
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

const repo = '/api/:t{models|datasets}/:ns/:name'
const dataset = '/api/:t{datasets}/:ns/:name'

/** What a stranger is answered where strangers may read nothing. */
const unchecked = {
  errors: [],
  warnings: [{ message: 'The metadata was not checked: send an access token.' }],
}

/**
 * `POST /api/validate-yaml`. Where strangers may read nothing, nothing is parsed for them. They get no 401 either:
 * `RepoCard.validate` of huggingface_hub 2.2.0, which `push_to_hub` of a card calls first, sends no token.
 */
async function validateCard(c: Context<Env>): Promise<Response> {
  const { actor, config } = c.var.ctx
  if (actor.kind === 'anonymous' && !config.security.anonymous_read) return c.json(unchecked)
  const { content, repoType } = await bodyOf(
    c,
    z.object({ content: z.string(), repoType: z.unknown().optional() }),
    // The Python client sends no token, and cards with results of evaluations pass 64 KiB.
    { size: 'usual' },
  )
  const verdict = await validateYaml(content, repoTypeOf(repoType))
  return c.json(verdict, verdict.errors.length > 0 ? 400 : 200)
}

// The hub-compatible surface, route by route.
const routes: [Method, string, Handler][] = [
  ['GET', '/api/whoami-v2', whoAmI],
  ['POST', '/api/validate-yaml', validateCard],
  ['POST', '/api/repos/create', createHubRepo],
  ['DELETE', '/api/repos/delete', deleteHubRepo],
  ['POST', '/api/repos/move', moveHubRepo],
  ['GET', '/api/models', (c) => listHubRepos(c, 'model')],
  ['GET', '/api/datasets', (c) => listHubRepos(c, 'dataset')],
  ['PUT', `${repo}/settings`, changeHubSettings],
  ['GET', `${repo}/refs`, listHubRefs],
  ['GET', `${repo}/commits/:rest{.+}`, listHubCommits],
  ['POST', `${repo}/branch/:branch{.+}`, createHubBranch],
  ['DELETE', `${repo}/branch/:branch{.+}`, deleteHubBranch],
  ['POST', `${repo}/tag/:rev{.+}`, createHubTag],
  ['DELETE', `${repo}/tag/:tag{.+}`, deleteHubTag],
  ['GET', `${repo}/tree/:rest{.+}`, listHubTree],
  ['POST', `${repo}/paths-info/:rest{.+}`, describeHubPaths],
  ['GET', `${repo}/safetensors-metadata/:file{.+}`, sendShardHeaders],
  ['GET', `${repo}/scan`, describeHubScan],
  ['GET', `${dataset}/croissant`, sendCroissant],
  ['GET', `${dataset}/parquet`, listParquet],
  ['GET', `${dataset}/parquet/:config`, listParquetOfConfig],
  ['GET', `${dataset}/parquet/:config/:split`, listParquetOfSplit],
  ['GET', `${dataset}/parquet/:config/:split/:file`, sendParquet],
  ['POST', `${repo}/preupload/:rest{.+}`, planHubUpload],
  ['POST', `${repo}/commit/:rev{.+}`, createHubCommit],
  ...discussionRows,
  ...webhookRows,
  ...collectionRows,
  ...likeRows,
  ...accessRows,
  ...['xet-write-token', 'chunk-write-token'].flatMap((name): [Method, string, Handler][] => [
    ['GET', `${repo}/${name}`, issueWriteToken],
    ['GET', `${repo}/${name}/:rev{.+}`, issueWriteToken],
  ]),
  ['GET', '/chunked-uploads-are-disabled/*', refuseChunks],
  ['GET', `${repo}/revision/:rev{.+}`, describeHubRepo],
  ...profileRows,
  ...storageRows,
  ['GET', `${repo}/auth-check`, (c) => checkAccess(c, 'repo.files')],
  ['GET', `${repo}/auth-check/write`, (c) => checkAccess(c, 'repo.commit')],
  ['POST', `${repo}/super-squash/:branch{.+}`, squashHubBranch],
  ['POST', `${repo}/duplicate`, duplicateHubRepo],
  ['GET', '/api/models-tags-by-type', (c) => sendTagsByType(c, 'model')],
  ['GET', '/api/datasets-tags-by-type', (c) => sendTagsByType(c, 'dataset')],
  ['GET', repo, orSingleName(describeHubRepo)],
]

/** Mounts the hub-compatible surface. It owns no state: it translates paths, casing and errors, and calls rooms. */
export function mountHub(app: App): void {
  mountNotOffered(app)
  for (const [method, path, handle] of routes) app.on(method, path, handle)
  mountSingleNameFiles(app)
  for (const form of ['resolve', 'raw'] as const) {
    app.get(`/:t{datasets}/:ns/:name/${form}/:rest{.+}`, (c) => sendHubFile(c, form, 4))
    app.get(`/:ns/:name/${form}/:rest{.+}`, (c) => sendHubFile(c, form, 3))
  }
  mountSingleNames(app)
}
