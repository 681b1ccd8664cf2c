import { dieFirst, giveWay } from '../../../../platform/give-way.ts'
import { convertArchives } from './archives.ts'
import { convertArrow } from './arrow/convert.ts'
import { openDuck, type Duck } from './duck.ts'
import { readFooters } from './footers.ts'
import { convertMediaArchives } from './media-archives.ts'
import type { Report, Setup, Task } from './messages.ts'
import { convertTable } from './table.ts'
import { TaskFault } from './task-fault.ts'

/*
 * One task after another, by messages. What people uploaded is parsed here and nowhere else: this process has an empty
 * environment and limits of memory, and its parent ends it by SIGKILL.
 */

const setup = JSON.parse(process.argv[2] ?? '{}') as Setup
let duck: Promise<Duck> | undefined
const opened = async () => (await (duck ??= openDuck(setup))).connection

const send = (report: Report) => process.send?.(report)

async function run(task: Task): Promise<void> {
  if (task.kind === 'footers') send({ type: 'footers', footers: await readFooters(task) })
  else if (task.builder === 'webdataset')
    send({ type: 'table', table: await convertArchives(setup, task, send) })
  else if (task.builder === 'media-archives')
    send({ type: 'table', table: await convertMediaArchives(setup, task, send, opened) })
  else if (task.builder === 'arrow') send({ type: 'table', table: await convertArrow(setup, task, send) })
  else {
    const table = await convertTable(await opened(), setup, task, send)
    send({ type: 'table', table })
  }
}

dieFirst()
giveWay(process.pid)

process.on('message', (task: Task) => {
  run(task).catch((error: unknown) => {
    const { code, message } = explained(error, task)
    send({ type: 'failed', code, message })
  })
})
process.on('disconnect', () => process.exit(0))
setInterval(() => send({ type: 'alive' }), 5000).unref()
send({ type: 'ready' })

const MAX_MESSAGE = 1000
const NO_MEMORY =
  'The conversion of these files needs more memory than it may use. Store them with fewer columns or smaller cells.'

/** In the words of people, who know their files by the names in the repo. */
function explained(error: unknown, task: Task): { code: string; message: string } {
  const code = error instanceof TaskFault ? error.code : 'DatasetGenerationError'
  if (error instanceof Error && error.message.startsWith('Out of Memory Error'))
    return { code, message: NO_MEMORY }
  let message = error instanceof Error ? error.message : String(error)
  for (const { name, path } of task.files) message = message.replaceAll(path, name)
  // DuckDB explains how to call it, which people cannot change.
  const [said = ''] = message.split(
    /\n\s*(?:Possible (?:fixes|solutions)|Try setting |If this error |Candidates: |\* |LINE \d|file = )/,
  )
  return { code, message: said.replaceAll(setup.folder, '').trim().slice(0, MAX_MESSAGE) }
}
