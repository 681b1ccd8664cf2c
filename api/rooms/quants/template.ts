/** What turns messages into a prompt, and where an answer ends. */
export interface OwnTemplate {
  template: string
  stop: string[]
}

interface KnownFormat extends OwnTemplate {
  /** Every one stands in the chat template. */
  tokens: string[]
  /** May stand in it as well. */
  also?: string[]
}

const turn = (role: string, field: string, open: (role: string) => string, close: string) =>
  `{{ if .${field} }}${open(role)}{{ .${field} }}${close}{{ end }}`

/** `.System`, `.Prompt` and `.Response` in turns that are all marked alike. */
const turns = (open: (role: string) => string, close: string, assistant = 'assistant') =>
  turn('system', 'System', open, close) +
  turn('user', 'Prompt', open, close) +
  `${open(assistant)}{{ .Response }}${close}`

// The published prompt formats of each family, as its model cards describe them.
const formats: KnownFormat[] = [
  {
    tokens: ['<|im_start|>', '<|im_end|>'],
    also: ['<|endoftext|>'],
    template: turns((role) => `<|im_start|>${role}\n`, '<|im_end|>\n'),
    stop: ['<|im_start|>', '<|im_end|>'],
  },
  {
    tokens: ['<|start_header_id|>', '<|end_header_id|>', '<|eot_id|>'],
    also: ['<|begin_of_text|>'],
    template: turns((role) => `<|start_header_id|>${role}<|end_header_id|>\n\n`, '<|eot_id|>'),
    stop: ['<|start_header_id|>', '<|end_header_id|>', '<|eot_id|>'],
  },
  {
    tokens: ['<start_of_turn>', '<end_of_turn>'],
    also: ['<bos>'],
    template:
      '<start_of_turn>user\n{{ if .System }}{{ .System }}\n\n{{ end }}{{ .Prompt }}<end_of_turn>\n' +
      '<start_of_turn>model\n{{ .Response }}<end_of_turn>\n',
    stop: ['<start_of_turn>', '<end_of_turn>'],
  },
  {
    tokens: ['[INST]', '[/INST]'],
    also: ['<s>', '</s>'],
    template: '[INST] {{ if .System }}{{ .System }}\n\n{{ end }}{{ .Prompt }} [/INST]{{ .Response }}</s>',
    stop: ['[INST]', '[/INST]'],
  },
  {
    tokens: ['<|user|>', '<|assistant|>', '<|end|>'],
    also: ['<|system|>', '<|endoftext|>'],
    template: turns((role) => `<|${role}|>\n`, '<|end|>\n'),
    stop: ['<|user|>', '<|assistant|>', '<|system|>', '<|end|>'],
  },
  {
    tokens: ['<|user|>', '<|assistant|>'],
    also: ['<|system|>', '</s>'],
    template: turns((role) => `<|${role}|>\n`, '</s>\n'),
    stop: ['<|user|>', '<|assistant|>', '<|system|>', '</s>'],
  },
]

const MAX_LOOKED_AT = 64 * 1024
const special = /<\|[\w ]{1,40}\|>|<\/?[a-z_]{1,40}>|\[\/?[A-Z_]{1,40}\]/g

/**
 * The template of a known prompt format, found by the special tokens of a chat template. `undefined` when any other token
 * stands in it, such as those for tools: a wrong template is worse than none, which has newer versions of ollama
 * render the model's own (indexing.md §6).
 */
export function templateOf(chatTemplate: string): OwnTemplate | undefined {
  if (chatTemplate.length > MAX_LOOKED_AT) return undefined
  const found = new Set(chatTemplate.match(special))
  return formats.find(
    ({ tokens, also = [] }) =>
      tokens.every((token) => found.has(token)) &&
      [...found].every((token) => tokens.includes(token) || also.includes(token)),
  )
}
