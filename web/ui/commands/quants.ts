import type { Quant } from '../../lib/types.ts'
import { shellEndpoint, type Command } from './deeds.ts'

/** The quant that most people take: small, and nearly as good as the largest. */
export const usualQuant = (quants: Quant[]) =>
  quants.find(({ name }) => name.startsWith('Q4_K_M')) ?? quants.at(-1)

/**
 * The commands that run a quant of the model `id`. ollama loads no model in shards, and there is no command for names
 * that it does not take.
 */
export function quantCommands(quant: Quant, id: string, origin: string): Command[] {
  const tag = quant.run_command.split(':').at(-1) || quant.name
  const llama: Command = {
    id: 'llama.cpp',
    label: 'llama.cpp',
    code: `${shellEndpoint(origin)}\nllama-cli -hf ${id}:${tag}`,
    before: {
      label: 'Once, for private models: llama.cpp takes a token without its second underscore',
      command: 'export HF_TOKEN="${HF_TOKEN/hf_asl_/hf_asl}"',
    },
  }
  if (quant.sharded || !quant.run_command) return [llama]
  const ollama: Command = {
    id: 'ollama',
    label: 'ollama',
    code: quant.run_command,
    before: {
      label: 'Once, for private models: save this key under Settings, Ollama keys',
      command: 'cat ~/.ollama/id_ed25519.pub',
    },
  }
  return [ollama, llama]
}
