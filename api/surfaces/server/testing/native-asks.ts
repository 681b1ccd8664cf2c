import type { App } from '../../../core/http/env.ts'
import { nativeBase } from '../../../core/http/surface.ts'
import { baseRequest, isOnLine } from './base-request.ts'
import type { Operation } from './operations.ts'
import type { Scene } from './scene.ts'
import type { Ask, Target } from './target.ts'

/** They change something of the caller's own and name no repo. */
const aboutTheCaller = new Set(
  (
    'updateMe changePassword login logout revokeSession createToken revokeToken decideDevice createOrg updateOrg ' +
    'setAvatar removeAvatar setNamespaceReadme followNamespace unfollowNamespace deleteOrg setMember removeMember register connectIdentity disconnectIdentity redeemLink createAdminUser ' +
    'updateAdminUser createEmailLink createResetLink endUserSessions revokeUserToken createInvite revokeInvite ' +
    'createOllamaKey deleteOllamaKey createSavedSearch updateSavedSearch deleteSavedSearch ' +
    'createPasskeyOptions createPasskey updatePasskey deletePasskey ' +
    'createRecoveryCodes createConfirmationOptions confirmSession createPasskeySignInOptions signInWithPasskey ' +
    'finishLogin updatePolicies updateLook setLogo removeLogo ' +
    'setAuditStream deleteAuditStream testAuditStream'
  ).split(' '),
)

function idFor({ id, path }: Operation, target: Target): string | undefined {
  if (path.startsWith('/jobs/') || path.startsWith('/exports/')) return target.jobId
  if (path.includes('/uploads/')) return target.uploadId
  if (path.includes('/branch-rules/')) return target.branchRuleId
  if (path.includes('/labels/')) return target.labelId
  if (isOnLine.test(id)) return target.reviewId
  if (path.includes('/comments/')) return target.commentId
  if (path.startsWith('/webhooks/')) return target.webhook.id
  return path.startsWith('/repos/') ? target.accessRequestId : undefined
}

const refOf = ({ ns, name }: Target) => ({ type: 'model', ns, name })

/** What is sent where a body names the target. */
const bodies: Record<string, (target: Target) => unknown> = {
  createRepo: refOf,
  addCollectionItem: (target) => ({ item: refOf(target) }),
  createWebhook: (target) => ({
    url: 'https://8.8.8.8/',
    watched: [{ repo: refOf(target) }],
    events: ['repo'],
  }),
}

/** What is asked where a query names the target. */
const queries: Record<string, (target: Target) => string> = {
  downloadExport: ({ exportQuery }) => exportQuery,
  listCollections: ({ ns, name }) => `item=models/${ns}/${name}`,
  listWebhooks: ({ ns, name }) => `repo=models/${ns}/${name}`,
}

async function ask(app: App, operation: Operation, scene: Scene, target: Target): Promise<Ask> {
  const base = await baseRequest(app, operation, scene)
  const { ns, name, sha } = target
  const isOfRepo = operation.path.startsWith('/repos/{type}')
  const id = idFor(operation, target)
  const path: Record<string, string> = {
    ...base.path,
    ...(isOfRepo ? { ns, name } : {}),
    ...(id === undefined ? {} : { id }),
    sha,
    delivery_id: target.webhook.deliveryId,
  }
  const body = bodies[operation.id]?.(target) ?? base.body
  const query =
    queries[operation.id]?.(target) ?? base.query.map(([key, value]) => `${key}=${value}`).join('&')
  return {
    method: operation.method,
    path: `${nativeBase}${operation.path.replaceAll(/\{(\w+)\}/g, (_, key: string) => path[key] ?? '')}?${query}`,
    headers: base.headers,
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  }
}

/** A request to every native operation that could tell of the target. */
export async function nativeAsks(
  app: App,
  operations: Operation[],
  scene: Scene,
  target: Target,
): Promise<Ask[]> {
  const asks: Ask[] = []
  for (const operation of operations)
    if (!aboutTheCaller.has(operation.id)) asks.push(await ask(app, operation, scene, target))
  return asks
}
