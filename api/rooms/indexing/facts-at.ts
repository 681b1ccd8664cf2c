import type { Ctx } from '../../core/ctx.ts'
import { FileFailure, type FileFacts, type Quantization } from '../../core/parsers/index.ts'
import { openFileAt, type Revision } from '../content/index.ts'
import { readFacts } from '../facts/index.ts'
import type { Repo } from '../repos/index.ts'

/** What a file says of itself; nothing where it cannot be read within the limits of a file (`inspect`). */
export async function factsAt(
  ctx: Ctx,
  at: { repo: Repo; revision: Revision },
  path: string,
  quantization?: Quantization,
): Promise<FileFacts | undefined> {
  const file = await openFileAt(ctx, at.repo, at.revision, path)
  try {
    return await readFacts(ctx, file, quantization)
  } catch (error) {
    if (error instanceof FileFailure) return undefined
    throw error
  }
}
