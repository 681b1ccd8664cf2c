import { quantGroups, type QuantGroup } from '../../core/parsers/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { requireRepo, type RepoAddress } from '../repos/index.ts'
import { listGguf, withFacts } from './gguf-files.ts'

/** The models at a quant that a repo holds, the largest first. Problems `gated`, `revision-not-found`. */
export async function listQuants(ctx: Ctx, address: RepoAddress, revision?: string): Promise<QuantGroup[]> {
  const repo = await requireRepo(ctx, address, 'repo.files')
  return quantGroups(await withFacts(ctx, repo, await listGguf(ctx, repo, revision), 'all'))
}

// What ollama takes as a namespace, a name and a tag (ollama: types/model/name.go).
const isNamespace = (part: string) => /^[\w-]{1,80}$/.test(part)
const isPart = (part: string) => /^[\w-][\w.-]{0,79}$/.test(part)

/**
 * The command that has ollama fetch a model, or fetch and run it; empty where ollama takes no such name. ollama asks by
 * https without `--insecure`, and takes no scheme (indexing.md §6).
 */
export function ollamaCommand(
  command: 'pull' | 'run',
  publicUrl: string,
  { ns, name }: RepoAddress,
  tag: string,
): string {
  if (!isNamespace(ns) || !isPart(name) || !isPart(tag)) return ''
  const { host, protocol } = new URL(publicUrl)
  return `ollama ${command} ${protocol === 'http:' ? '--insecure ' : ''}${host}/${ns}/${name}:${tag}`
}

/** How ollama names a quant: by its label, or its file where that is no tag. */
export function tagOf({ name, files: [path = ''] }: Pick<QuantGroup, 'name' | 'files'>): string {
  return /^[\w.-]+$/.test(name) ? name : path.slice(path.lastIndexOf('/') + 1)
}
