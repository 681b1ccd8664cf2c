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
  [{ seq_length: 8192 }, 8192],
  [{ n_ctx: 2048 }, 2048],
  [{ context_length: 1024 }, 1024],
  [{ model_max_length: 131072 }, 131072],
  [{ llm_config: { max_position_embeddings: 8192 } }, 8192],
  [{ language_config: { max_position_embeddings: 4096 } }, 4096],
  [{ max_position_embeddings: 4096, text_config: { max_position_embeddings: 9999 } }, 4096],
  [{ max_position_embeddings: 2048, rope_scaling: { type: 'linear', factor: 4 } }, 8192],
  [{ max_position_embeddings: 2048, rope_scaling: { type: 'linear', factor: 0.5 } }, 2048],
  [
    {
      text_config: {
        max_position_embeddings: 4096,
        rope_parameters: { rope_type: 'yarn', factor: 8, original_max_position_embeddings: 4096 },
      },
    },
    32768,
  ],
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

test.each([
  ['config.json', { mm_audio_tower: 'acme/ears' }, [{ kind: 'backbone', repo: 'acme/ears' }]],
  ['config.json', { text_model_id: 'acme/text' }, [{ kind: 'backbone', repo: 'acme/text' }]],
  ['config.json', { vision_model_id: 'acme/eyes' }, [{ kind: 'backbone', repo: 'acme/eyes' }]],
  ['config.json', { vocoder_model_id: 'acme/voice' }, [{ kind: 'backbone', repo: 'acme/voice' }]],
  ['gliner_config.json', { model_name: 'acme/deberta' }, [{ kind: 'backbone', repo: 'acme/deberta' }]],
  ['config.json', { model_name: 'acme/deberta' }, []],
  [
    'config.json',
    { custom_pipelines: { own: { impl: 'acme/code--pipe.Own', pt: ['AutoModel'] }, local: { impl: 'p.X' } } },
    [{ kind: 'code', repo: 'acme/code' }],
  ],
  ['config.json', { _name_or_path: 'acme/leftover' }, []],
  ['config.json', { backbone: 'resnet50' }, []],
  ['config.json', { vision_tower: '/models/clip' }, []],
])('%s with %j needs %j', (name, config, needs) => {
  expect(read(name, config).needs).toEqual(needs)
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
