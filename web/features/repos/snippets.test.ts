import { expect, test } from 'vitest'
import { snippets, type SnippetInput } from './snippets.ts'

const repo: SnippetInput['repo'] = {
  type: 'model',
  ns: 'ada',
  name: 'tiny',
  full_name: 'ada/tiny',
  default_branch: 'main',
  clone_url: 'http://hub.test/ada/tiny.git',
  tags: [],
}
const origin = 'http://hub.test'
const quant = {
  name: 'Q4_K_M',
  files: ['tiny-Q4_K_M.gguf'],
  size_bytes: 1,
  sharded: false,
  has_projector: false,
  pull_command: 'ollama pull --insecure hub.test/ada/tiny:Q4_K_M',
  run_command: 'ollama run --insecure hub.test/ada/tiny:Q4_K_M',
}
const idsOf = (input: SnippetInput) => snippets(input).map(({ id }) => id)
const always = ['shell', 'powershell', 'python', 'javascript', 'git']

test.each([
  ['transformers', ['transformers', 'vllm', 'sglang']],
  ['diffusers', ['diffusers']],
  ['sentence-transformers', ['sentence-transformers']],
  ['peft', ['peft']],
  ['timm', ['timm']],
  ['mlx', ['mlx']],
  ['keras', []],
])('a model of %s is offered to the tools that load it', (library, tools) => {
  expect(idsOf({ repo: { ...repo, library }, origin })).toEqual([...tools, ...always])
})

test('a model that is no language model is not offered to servers of those', () => {
  const classifier = { ...repo, library: 'transformers', task: 'image-classification' }
  expect(idsOf({ repo: classifier, origin })).toEqual(['transformers', ...always])
})

test('a GGUF model is offered to ollama and llama.cpp; one in shards to llama.cpp alone', () => {
  const all = snippets({ repo, origin, quant })
  expect(all.map(({ id }) => id)).toEqual(['ollama', 'llama.cpp', ...always])
  expect(all[1]?.code).toContain('llama-cli -hf ada/tiny:Q4_K_M')
  expect(all[0]?.code).toBe(quant.run_command)
  const unpullable = snippets({ repo, origin, quant: { ...quant, run_command: '' } })
  expect(unpullable.map(({ id }) => id)).toEqual(['llama.cpp', ...always])
  expect(unpullable[0]?.code).toContain('llama-cli -hf ada/tiny:Q4_K_M')
  expect(idsOf({ repo, origin, quant: { ...quant, sharded: true } })).toEqual(['llama.cpp', ...always])
})

test('every snippet names this server, so that no token goes elsewhere', () => {
  for (const { code } of snippets({ repo, origin, quant })) expect(code).toContain('hub.test')
})
