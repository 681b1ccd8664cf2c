import type { ParseArgsConfig } from 'node:util'
import { ConfigError, loadConfig, quickStart, type Config } from '../../platform/config/index.ts'

/** The world a command runs in; tests give their own. */
export interface Shell {
  env: Record<string, string | undefined>
  out(text: string): void
  err(text: string): void
  /** Waits until the reader has taken what was printed: a pipe keeps the rest in memory. Absent where nothing waits. */
  taken?(): Promise<void>
  /** Asks the person and answers the line they type; absent without a terminal. */
  ask?(question: string): Promise<string>
}

/** What followed the words of the command on the command line. */
export interface Arguments {
  values: Record<string, string | boolean | (string | boolean)[] | undefined>
  positionals: string[]
}

/** One command of `arsenal`. */
export interface Command {
  /** What follows the words, such as `<username> [--admin]`. */
  usage?: string
  /** One sentence for the list of commands. */
  summary: string
  /** Flags of its own, beside those of the configuration. */
  options?: ParseArgsConfig['options']
  /** Answers the exit status: 0 good, 1 found or failed something, 2 not understood. */
  run(args: Arguments, shell: Shell): Promise<number>
}

/** Flags that every command understands, since every command reads the configuration. */
export const configOptions = {
  config: { type: 'string' },
  set: { type: 'string', multiple: true },
  'quick-start': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} satisfies ParseArgsConfig['options']

/** Ends a command with a text for the person and an exit status. */
export class CommandFailure extends Error {
  readonly status: number

  constructor(message: string, status = 1) {
    super(message)
    this.name = 'CommandFailure'
    this.status = status
  }
}

/**
 * The configuration from the flags of a command and the environment; doubtful values are warned of.
 * @throws CommandFailure (status 2) that lists every fault
 */
export function configOf({ values }: Arguments, shell: Shell): Config {
  const folder = values['quick-start']
  try {
    const sources = {
      file: typeof values['config'] === 'string' ? values['config'] : undefined,
      env: shell.env,
      set: Array.isArray(values['set']) ? values['set'].map(String) : [],
      ...(typeof folder === 'string' && { lowest: quickStart(folder) }),
    }
    return loadConfig(sources, (warning) => shell.err(`warning: ${warning}\n`))
  } catch (error) {
    if (error instanceof ConfigError) throw new CommandFailure(error.message, 2)
    throw error
  }
}
