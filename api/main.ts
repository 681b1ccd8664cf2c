import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import type { Shell } from './app/cli/command.ts'
import { run } from './app/cli/run.ts'

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await terminal.question(question)
  } finally {
    terminal.close()
  }
}

// The reader has gone, as `head` does once it has enough.
process.stdout.on('error', () => process.exit(1))

const shell: Shell = {
  env: process.env,
  out: (text) => process.stdout.write(text),
  async taken() {
    if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain')
  },
  err: (text) => process.stderr.write(text),
  ...(process.stdin.isTTY && { ask }),
}

process.exitCode = await run(process.argv.slice(2), shell)
