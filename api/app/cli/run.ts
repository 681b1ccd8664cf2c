import { parseArgs } from 'node:util'
import { CommandFailure, configOptions, type Command, type Shell } from './command.ts'
import { commands } from './commands.ts'

/** Runs the command that the words name. Answers the exit status. */
export async function run(words: string[], shell: Shell): Promise<number> {
  const name = Object.keys(commands).find(
    (candidate) => candidate === words.slice(0, candidate.split(' ').length).join(' '),
  )
  const open = name === undefined ? undefined : commands[name]
  if (name === undefined || !open) return showCommands(words, shell)
  const command = await open()
  try {
    const { values, positionals } = parseArgs({
      args: words.slice(name.split(' ').length),
      options: { ...configOptions, ...command.options },
      allowPositionals: true,
    })
    if (values.help) return showUsage(name, command, shell)
    return await command.run({ values, positionals }, shell)
  } catch (error) {
    if (error instanceof CommandFailure) shell.err(`${error.message}\n`)
    else if (isMisread(error)) shell.err(`${error.message}\n\nTry: arsenal ${name} --help\n`)
    else throw error
    return error instanceof CommandFailure ? error.status : 2
  }
}

function isMisread(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_')
}

async function showCommands(words: string[], shell: Shell): Promise<number> {
  const asked = words.length === 0 || ['help', '--help', '-h'].includes(words[0] ?? '')
  const lines = await Promise.all(
    Object.entries(commands).map(async ([name, open]) => `  ${name.padEnd(22)}${(await open()).summary}`),
  )
  const list = `Usage: arsenal <command> [flags]\n\n${lines.join('\n')}\n\n${flags}`
  if (asked) shell.out(list)
  else shell.err(`There is no command "${words.join(' ')}".\n\n${list}`)
  return asked ? 0 : 2
}

function showUsage(name: string, command: Command, shell: Shell): number {
  const own = Object.keys(command.options ?? {}).map((flag) => `  --${flag}\n`)
  shell.out(
    `Usage: arsenal ${[name, command.usage].filter(Boolean).join(' ')}\n\n${command.summary}\n\n${own.join('')}${flags}`,
  )
  return 0
}

const flags = `Configuration:
  --config <file>          YAML file (or SERVICE_CONFIG)
  --set <key>=<value>      one value, over file and environment; may be repeated
  --quick-start <folder>   everything in one folder, at http://localhost:8080, under all other sources
`
