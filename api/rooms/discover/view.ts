import type { z } from '../../core/http/contract.ts'
import { viewQuant } from '../quants/view.ts'
import type { ArsenalState } from './arsenal-state.ts'
import type { DiscoveredRepo } from './detail.ts'
import type { DiscoverPage } from './list.ts'
import type { DiscoverDetail, DiscoverList } from './routes.ts'

const viewState = ({ state, repo }: ArsenalState) => ({
  state,
  ...(repo ? { repo: { type: repo.type, ns: repo.ns, name: repo.name } } : {}),
})

/** A repo of an upstream in a list. */
export function viewDiscovered({
  isPrivate,
  isGated,
  updatedAt,
  arsenal,
  ...found
}: DiscoverPage['items'][number]): z.input<typeof DiscoverList>['items'][number] {
  return {
    type: found.type,
    id: `${found.ns}/${found.name}`,
    ns: found.ns,
    name: found.name,
    ...(found.author === undefined ? {} : { author: found.author }),
    ...(found.description === undefined ? {} : { description: found.description }),
    likes: found.likes,
    downloads: found.downloads,
    ...(updatedAt === undefined ? {} : { updated_at: updatedAt }),
    ...(found.task === undefined ? {} : { task: found.task }),
    ...(found.library === undefined ? {} : { library: found.library }),
    ...(found.licence === undefined ? {} : { licence: found.licence }),
    gated: isGated,
    private: isPrivate,
    tags: found.tags,
    arsenal: viewState(arsenal),
  }
}

/** A repo of an upstream with its files and what a pull brings. */
export function viewDetail(found: DiscoveredRepo, publicUrl: string): z.input<typeof DiscoverDetail> {
  return {
    ...viewDiscovered(found),
    commit: found.commit,
    ...(found.card === undefined ? {} : { card: found.card }),
    readable: found.isReadable,
    files: found.files.map(({ path, sizeBytes, sha256, presence }) => ({
      path,
      size: sizeBytes,
      ...(sha256 === undefined ? {} : { lfs: { sha256 } }),
      presence,
    })),
    quants: { groups: found.quants.map((group) => viewQuant(group, publicUrl, found)) },
    configs: found.configs,
    dependencies: found.dependencies.map(({ kind, type, target, revision, relation, arsenal }) => {
      const end = target.indexOf('/')
      return {
        kind,
        repo: { type, ns: target.slice(0, Math.max(0, end)), name: target.slice(end + 1) },
        ...(revision === undefined ? {} : { revision }),
        ...(relation === undefined ? {} : { relation }),
        arsenal: viewState(arsenal),
      }
    }),
    size_bytes: found.sizeBytes,
    ...(found.freeBytes === undefined ? {} : { free_bytes: found.freeBytes }),
    ...(found.quotaLeft === undefined ? {} : { quota_left: found.quotaLeft }),
    warnings: found.warnings,
  }
}
