import { authoriseNamespace, system } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { Problem } from '../../platform/problems/index.ts'
import { UniqueViolation } from '../../stores/db/index.ts'
import { addOrg } from './create-org.ts'
import { checkNamespaceName } from './names.ts'
import { findNamespace, type NamespaceRow } from './queries.ts'

/** Where mirrors of an upstream are to lie. */
export interface MirrorPlace {
  ns: string
  /** Id of the upstream. */
  upstream: string
}

/**
 * Throws unless mirrors of the upstream may lie in the namespace `ns`: one of that name that is not there yet, or one made
 * for them. Problems `name-taken`, `invalid-name`.
 */
export async function requireMirrorPlace(
  { db }: Pick<Ctx, 'db'>,
  { ns, upstream }: MirrorPlace,
): Promise<NamespaceRow | undefined> {
  checkNamespaceName('ns', ns)
  const found = await findNamespace(db, ns)
  if (!found || found.mirror_of === upstream) return found
  throw new Problem('name-taken', {
    detail:
      found.mirror_of === null
        ? `${found.name} is a user or organisation of this server. Choose another place with target_ns.`
        : `${found.name} holds mirrors of another upstream, ${found.mirror_of}. Choose another place with target_ns.`,
    errors: [{ field: 'target_ns', code: 'taken', message: 'the upstream’s own name is in use here' }],
  })
}

/** Makes the namespace of an upstream's owner, for its mirrors alone, unless it is there. */
export async function ensureMirrorNamespace(ctx: Ctx, place: MirrorPlace): Promise<NamespaceRow> {
  for (;;) {
    const found = await requireMirrorPlace(ctx, place)
    if (found) return found
    try {
      return await ctx.db.write((tx) =>
        addOrg(tx, { ...ctx, actor: system }, { ns: place.ns, mirrorOf: place.upstream }),
      )
    } catch (error) {
      // Another pull was faster.
      if (!(error instanceof UniqueViolation) && !(error instanceof Problem && error.code === 'name-taken'))
        throw error
    }
  }
}

/** The namespace `ns`, which the caller may put repos into. Problem `forbidden`, also where there is none. */
export async function requireOwnPlace(
  { actor, db }: Pick<Ctx, 'actor' | 'db'>,
  ns: string,
): Promise<NamespaceRow> {
  const found = await findNamespace(db, ns)
  if (!found) throw new Problem('forbidden', { detail: `You cannot create anything in ${ns}.` })
  authoriseNamespace(actor, 'namespace.create-repo', found)
  return found
}
