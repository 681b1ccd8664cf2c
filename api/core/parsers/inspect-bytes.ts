import { configNames, readConfig } from './config/read.ts'
import type { ConfigFacts } from './config/facts.ts'
import { readGguf } from './gguf/header.ts'
import type { GgufFacts } from './gguf/facts.ts'
import type { ParquetFacts } from './parquet/facts.ts'
import { readParquet } from './parquet/footer.ts'
import { MeteredBytes, type FileBytes } from './reader/file-bytes.ts'
import type { SafetensorsFacts, SafetensorsIndexFacts } from './safetensors/facts.ts'
import { readSafetensors } from './safetensors/header.ts'
import type { Quantization } from './safetensors/parameters.ts'
import { readSafetensorsIndex } from './safetensors/shard-index.ts'

/** Raise it when facts of the same bytes change: stored facts of an older version are read again. */
export const PARSER_VERSION = 3

/** What one file says of itself. */
export type FileFacts = SafetensorsFacts | SafetensorsIndexFacts | GgufFacts | ConfigFacts | ParquetFacts

/** Beside a file's bytes: its path, which chooses the parser, and what its count of parameters depends on. */
export interface InspectInput {
  path: string
  quantization?: Quantization
}

/** The parser of a path; nothing for files that are not read. */
export function formatOf(path: string): FileFacts['format'] | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (/\.safetensors$/i.test(name)) return 'safetensors'
  if (/\.safetensors\.index\.json$/i.test(name)) return 'safetensors-index'
  if (/\.gguf$/i.test(name)) return 'gguf'
  if (/\.parquet$/i.test(name)) return 'parquet'
  return configNames.has(name) ? 'config' : undefined
}

/** The largest header, and an index of shards. */
const MAX_READ_BYTES = 400_000_000

/** Reads what a file says of itself; nothing for a path without a parser. */
export function inspectBytes({ path, quantization }: InspectInput, file: FileBytes): FileFacts | undefined {
  const metered = new MeteredBytes(file, MAX_READ_BYTES)
  switch (formatOf(path)) {
    case 'safetensors':
      return readSafetensors(metered, quantization)
    case 'safetensors-index':
      return readSafetensorsIndex(metered)
    case 'gguf':
      return readGguf(metered)
    case 'config':
      return readConfig(path.slice(path.lastIndexOf('/') + 1), metered)
    case 'parquet':
      return readParquet(metered)
    case undefined:
      return undefined
  }
}
