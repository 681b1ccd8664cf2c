import { quantGroups, type FileFacts, type GgufFacts, type QuantGroup } from '../parsers/index.ts'
import type { GgufDigest, RepoFile } from './findings.ts'
import { known } from './words.ts'

type Facts = ReadonlyMap<string, FileFacts>

/** The GGUF files of a model by their quants, the largest first; also those whose headers were not read. */
export const ggufGroups = (files: readonly RepoFile[], facts: Facts): QuantGroup[] =>
  quantGroups(
    files
      .filter(({ path }) => /\.gguf$/i.test(path))
      .map(({ path, sizeBytes }) => ({ path, sizeBytes, ...known({ facts: headerOf(facts, path) }) })),
  )

/** Of a file that is no GGUF at all, the parser knows neither keys nor tensors. */
function headerOf(facts: Facts, path: string): GgufFacts | undefined {
  const found = facts.get(path)
  return found?.format === 'gguf' && found.metadata.length + found.tensorCount > 0 ? found : undefined
}

/** What the headers say. One quant whose headers were all read stands for all: the others have the same parameters. */
export function ggufHeader(groups: readonly QuantGroup[], facts: Facts) {
  const group = groups.find(({ files }) => files.every((path) => headerOf(facts, path)))
  const parts: GgufFacts[] = (group?.files ?? []).flatMap((path) => headerOf(facts, path) ?? [])
  const [first] = parts
  if (!group || !first) return undefined
  const parametersByType: Record<string, number> = {}
  for (const part of parts)
    for (const [type, count] of Object.entries(part.parametersByType))
      parametersByType[type] = (parametersByType[type] ?? 0) + count
  const digest: GgufDigest = {
    total: parts.reduce((sum, { parameters }) => sum + parameters, 0),
    totalFileSize: group.sizeBytes,
    ...known({
      architecture: first.architecture,
      context_length: first.contextLength,
      chat_template: first.chatTemplate,
      bos_token: first.bosToken,
      eos_token: first.eosToken,
      quantize_imatrix_file: first.imatrixFile,
    }),
  }
  return { digest, parametersByType, licence: first.license, baseModels: first.baseModels }
}
