import { GgufBytes, ggufFile, safetensorsFile } from '../../api/core/parsers/testing/samples.ts'
import type { Person, GivenRepo } from './fixtures.ts'

/** One tensor: what it is, and the byte it is filled with. */
type Given = [dtype: 'F32' | 'BF16', shape: number[], fill?: number]

/** A safetensors file of these tensors. */
export function weights(tensors: Record<string, Given>, metadata?: Record<string, string>): Buffer {
  let at = 0
  const header: Record<string, unknown> = metadata ? { __metadata__: metadata } : {}
  const data: Buffer[] = []
  for (const [name, [dtype, shape, fill = 0]] of Object.entries(tensors)) {
    const size = shape.reduce((product, dimension) => product * dimension, dtype === 'F32' ? 4 : 2)
    header[name] = { dtype, shape, data_offsets: [at, at + size] }
    data.push(Buffer.alloc(size, fill))
    at += size
  }
  return safetensorsFile(header, Buffer.concat(data))
}

/** A GGUF file of a tiny llama with a chat template. */
export function tinyGguf(template: string): Buffer {
  const write = new GgufBytes()
  const text = (key: string, value: string): [string, number, Buffer] => [key, 8, write.string(value)]
  const tokens = Buffer.concat([
    write.u32(8),
    write.u64(3),
    ...['<s>', '</s>', 'hi'].map((t) => write.string(t)),
  ])
  return ggufFile({
    keys: [
      text('general.architecture', 'llama'),
      text('tokenizer.chat_template', template),
      ['tokenizer.ggml.tokens', 9, tokens],
    ],
    tensors: [{ name: 'blk.0.attn_q.weight', shape: [32, 2], type: 8, offset: 0 }],
    data: 96,
  })
}

/** Commits bytes; answers the commit. */
export async function commitBytes(
  person: Person,
  repo: GivenRepo,
  files: Record<string, Buffer | string>,
  more: Record<string, unknown> = { branch: 'main' },
): Promise<string> {
  const operations = Object.entries(files).map(([path, bytes]) => ({
    op: 'add',
    path,
    content: Buffer.from(bytes).toString('base64'),
  }))
  const made = await person.native<{ commit: string }>('POST', `${repo.api}/commits`, {
    title: 'Change the weights',
    operations,
    ...more,
  })
  return made.commit
}
