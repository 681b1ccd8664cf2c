import type { ConfigFacts } from '../parsers/index.ts'
import type { ConfigDigest } from './findings.ts'

/** What hub rows show of the files of settings (indexing.md §5); nothing where there are none. */
export function configDigest(configs: ReadonlyMap<string, ConfigFacts>): ConfigDigest | undefined {
  const config = configs.get('config.json')
  const tokenizer = configs.get('tokenizer_config.json')
  const peft = configs.get('adapter_config.json')?.peft
  const diffusers = configs.get('model_index.json')?.diffusers
  const template = tokenizer?.chatTemplate
  const digest: ConfigDigest = {
    ...(config?.architectures && { architectures: config.architectures }),
    ...(config?.modelType !== undefined && { model_type: config.modelType }),
    ...(config?.autoMap && { auto_map: config.autoMap }),
    ...quantizationDigest(config),
    ...(tokenizer && {
      tokenizer_config: {
        ...tokenizer.specialTokens,
        ...(template !== undefined && { chat_template: template }),
      },
    }),
    ...(peft && {
      peft: {
        ...(peft.base !== undefined && { base_model_name_or_path: peft.base }),
        ...(peft.task !== undefined && { task_type: peft.task }),
      },
    }),
    ...(diffusers && { diffusers: { _class_name: diffusers.className } }),
  }
  return Object.keys(digest).length > 0 ? digest : undefined
}

function quantizationDigest(config: ConfigFacts | undefined): Pick<ConfigDigest, 'quantization_config'> {
  const { method = '', bits } = config?.quantization ?? {}
  const known = {
    ...(method !== '' && { quant_method: method }),
    ...(bits !== undefined && { bits }),
  }
  return Object.keys(known).length > 0 ? { quantization_config: known } : {}
}
