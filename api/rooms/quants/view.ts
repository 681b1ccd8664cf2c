import type { z } from '../../core/http/contract.ts'
import type { QuantGroup } from '../../core/parsers/index.ts'
import type { RepoAddress } from '../repos/index.ts'
import { pullCommand, tagOf } from './list-quants.ts'
import type { QuantGroup as Schema } from './routes.ts'

/** A quant with the command that has ollama fetch it. */
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
    pull_command: pullCommand(publicUrl, address, tagOf(group)),
  }
}
