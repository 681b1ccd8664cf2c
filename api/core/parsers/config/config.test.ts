import { expect, test } from 'vitest'
import { inMemory } from '../reader/file-bytes.ts'
import { readConfig } from './read.ts'

const read = (name: string, value: unknown) =>
  readConfig(name, inMemory(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))))

test.each<[unknown, number | undefined]>([
  [{ max_position_embeddings: 4096 }, 4096],
  [{ text_config: { n_positions: 1024 } }, 1024],
  [{ thinker_config: { text_config: { max_seq_len: 7 } } }, 7],
  [
    {
      max_position_embeddings: 32768,
      rope_scaling: { rope_type: 'yarn', factor: 4, original_max_position_embeddings: 32768 },
    },
    131072,
  ],
  [{ max_position_embeddings: 100, rope_scaling: { type: 'dynamic', factor: 4 } }, 100],
  [{ sliding_window: 4096, max_source_positions: 1500 }, undefined],
  [{ max_position_embeddings: '4096' }, undefined],
])('the context length of %j is %s', (config, length) => {
  expect(read('config.json', config).contextLength).toBe(length)
})

test('a config names classes, code of other repos and quantisation', () => {
  const facts = read('config.json', {
    architectures: ['XForCausalLM'],
    model_type: 'x',
    auto_map: { AutoModel: 'alice/code--modeling.X', AutoTokenizer: ['tok.Slow', null] },
    quantization_config: { quant_method: 'GPTQ', bits: 4, modules_to_not_convert: ['head'] },
    vision_tower: 'openai/clip',
    mm_vision_tower: './local',
    use_pretrained_backbone: true,
    backbone: 'resnet50',
  })
  expect(facts).toMatchObject({
    architectures: ['XForCausalLM'],
    modelType: 'x',
    autoMap: { AutoModel: 'alice/code--modeling.X', AutoTokenizer: 'tok.Slow' },
    quantization: { method: 'gptq', bits: 4, notConverted: ['head'] },
    needs: [
      { kind: 'code', repo: 'alice/code' },
      { kind: 'backbone', repo: 'openai/clip' },
      { kind: 'backbone', repo: 'resnet50' },
    ],
    problems: [],
  })
})

test('an adapter names its base', () => {
  const facts = read('adapter_config.json', {
    peft_type: 'LORA',
    base_model_name_or_path: 'alice/base',
    revision: 'v1',
  })
  expect(facts).toMatchObject({
    peft: { type: 'LORA', base: 'alice/base' },
    needs: [{ kind: 'adapter_base', repo: 'alice/base', revision: 'v1' }],
  })
})

test('a pipeline of diffusers names its parts', () => {
  const facts = read('model_index.json', {
    _class_name: 'FluxPipeline',
    unet: ['diffusers', 'UNet'],
    flag: true,
  })
  expect(facts.diffusers).toEqual({ className: 'FluxPipeline', components: { unet: 'diffusers.UNet' } })
})

test('a tokenizer has templates and special tokens', () => {
  const template = [
    { name: 'default', template: '{{ a }}' },
    { name: 'tool', template: '{{ b }}' },
  ]
  const facts = read('tokenizer_config.json', {
    chat_template: template,
    eos_token: { content: '</s>' },
    bos_token: '<s>',
    model_max_length: 1e30,
  })
  expect(facts).toMatchObject({
    chatTemplate: '{{ a }}',
    chatTemplates: { tool: '{{ b }}' },
    specialTokens: { eos_token: '</s>', bos_token: '<s>' },
  })
  expect(facts.contextLength).toBeUndefined()
})

test.each(['', '[]', '{', '\xff', '"a"'])('%j is no file of settings', (text) => {
  expect(read('config.json', text).problems.map(({ code }) => code)).toEqual(['config_not_json'])
})
