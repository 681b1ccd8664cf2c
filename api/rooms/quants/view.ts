import type { z } from '../../core/http/contract.ts'
import type { QuantGroup } from '../../core/parsers/index.ts'
import type { RepoAddress } from '../repos/index.ts'
import { ollamaCommand, tagOf } from './list-quants.ts'
import type { QuantGroup as Schema } from './routes.ts'

/** A quant with the commands that have ollama fetch it, and run it. */
export function viewQuant(
  group: QuantGroup,
  publicUrl: string,
  address: RepoAddress,
): z.input<typeof Schema> {
  const { name, bits, files, sizeBytes, isSharded, projectors } = group
  return {
    name,
    ...(bits === undefined ? {} : { bits }),
    files,
    size_bytes: sizeBytes,
    sharded: isSharded,
    has_projector: projectors.length > 0,
    pull_command: ollamaCommand('pull', publicUrl, address, tagOf(group)),
    run_command: ollamaCommand('run', publicUrl, address, tagOf(group)),
  }
}
