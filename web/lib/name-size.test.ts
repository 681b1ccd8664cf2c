import { expect, test } from 'vitest'
import { sizeInName } from './name-size.ts'

test.each([
  ['Llama-3.1-8B-Instruct', '8B'],
  ['qwen2.5-0.5b', '0.5B'],
  ['Mixtral-8x7B-v0.1', '8x7B'],
  ['opt-350m', '350M'],
  ['pythia-1.4b-deduped', '1.4B'],
])('%s says %s', (name, size) => expect(sizeInName(name)).toBe(size))

test.each(['bert-base-uncased', 'b2b-model', 'gpt2', 'v1.5', '7bit', 'model-4bit'])(
  '%s says nothing of its size',
  (name) => expect(sizeInName(name)).toBeUndefined(),
)
