import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inMemory } from '../reader/file-bytes.ts'
import { GgufBytes, ggufFile } from '../testing/samples.ts'
import { readGguf } from './header.ts'
import { tensorTypes } from './types.ts'

/** What of the package is used: its own types are a union of all architectures, which costs the compiler a second. */
interface HuggingFaceGguf {
  gguf(
    path: string,
    options: { allowLocalFile: true; computeParametersCount: true },
  ): Promise<{
    metadata: Record<string, unknown>
    parameterCount: number
    tensorInfos: { name: string; shape: bigint[] }[]
  }>
}
const oracle: string = '@huggingface/gguf'

test('huggingface.js reads the same tensors, and counts the same parameters', async () => {
  const { gguf } = (await import(oracle)) as HuggingFaceGguf
  const write = new GgufBytes()
  const folder = await mkdtemp(join(tmpdir(), 'gguf-'))
  let offset = 0
  const tensors = [...tensorTypes].map(([type, { name, block, bytes }]) => {
    const tensor = { name, shape: [block * 2, 3], type, offset }
    offset += Math.ceil((bytes * 6) / 32) * 32
    return tensor
  })
  const bytes = ggufFile({
    keys: [
      ['general.architecture', 8, write.string('llama')],
      ['llama.context_length', 4, write.u32(8192)],
    ],
    tensors,
    data: offset,
  })
  const path = join(folder, 'model.gguf')
  await writeFile(path, bytes)
  const theirs = await gguf(path, { allowLocalFile: true, computeParametersCount: true })
  const ours = readGguf(inMemory(bytes))
  expect(ours.problems).toEqual([])
  expect(ours.parameters).toBe(theirs.parameterCount)
  expect(ours.tensors.map(({ name, shape }) => [name, shape])).toEqual(
    theirs.tensorInfos.map(({ name, shape }) => [name, shape.map(Number)]),
  )
  expect(ours.contextLength).toBe(theirs.metadata['llama.context_length'])
})
