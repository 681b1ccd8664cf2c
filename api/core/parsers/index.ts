export type { ConfigFacts, Need } from './config/facts.ts'
export type { GgufFacts, GgufTensor, GgufValue } from './gguf/facts.ts'
export { readGguf } from './gguf/header.ts'
export { ggufNameProblems } from './gguf/names.ts'
export {
  ggufShardOf,
  quantGroups,
  quantLabel,
  quantOf,
  sidecarOf,
  type GgufFile,
  type QuantGroup,
} from './gguf/quants.ts'
export { tensorBytes } from './gguf/types.ts'
export { formatOf, inspectBytes, PARSER_VERSION, type FileFacts, type InspectInput } from './inspect-bytes.ts'
export { inspect } from './inspect.ts'
export { groupedBy } from './grouped.ts'
export { FormatFault, Problems, type FileProblem, type Severity } from './problem.ts'
export { Cursor, EndOfFile } from './reader/cursor.ts'
export { inMemory, MeteredBytes, part, type FileBytes } from './reader/file-bytes.ts'
export { bytesReader, fileReader, sourceReader, type RangedReader } from './reader/ranged-reader.ts'
export { countedSafetensors, type CountedFiles } from './safetensors/choose.ts'
export type { SafetensorsFacts, SafetensorsIndexFacts, SafetensorsTensor } from './safetensors/facts.ts'
export { readSafetensors } from './safetensors/header.ts'
export type { Quantization } from './safetensors/parameters.ts'
export { countShards, mergeShards, type MergedSafetensors } from './safetensors/shard-index.ts'
export { FileFailure, FileThreads, type RoomyReader } from './thread/file-threads.ts'
export { serveFiles, serveFilesAsync, type RemoteFile } from './thread/remote-bytes.ts'
