// A GGUF file that the real ollama takes for a model.
import { randomBytes } from 'node:crypto'
import { register } from 'tsx/esm/api'

register()
const { GgufBytes, ggufFile } = await import('../../api/core/parsers/testing/samples.ts')

const chatml =
  "{% for m in messages %}{{'<|im_start|>' + m['role'] + '\\n' + m['content'] + '<|im_end|>'}}{% endfor %}"

/** A model that `ollama show` can read; `mib` of random bytes. */
export function model(mib) {
  const write = new GgufBytes()
  /** @returns {[string, number, Buffer]} */
  const text = (key, value) => [key, 8, write.string(value)]
  const rows = mib * 256
  const file = ggufFile({
    keys: [
      text('general.architecture', 'llama'),
      ['general.file_type', 4, write.u32(0)],
      ['llama.context_length', 4, write.u32(4096)],
      ['llama.block_count', 4, write.u32(1)],
      ['llama.embedding_length', 4, write.u32(1024)],
      text('tokenizer.chat_template', chatml),
    ],
    tensors: [{ name: 'token_embd.weight', shape: [1024, rows], type: 0, offset: 0 }],
  })
  return Buffer.concat([file, randomBytes(rows * 4096)])
}
