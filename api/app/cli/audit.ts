import { auditLine, exportAudit, parseSeal, verifyAudit, type AuditFault } from '../../core/events/index.ts'
import { asServer } from './as-server.ts'
import { CommandFailure, type Arguments, type Command } from './command.ts'

/** The date of a flag; a day begins at 00:00 UTC. */
function dateOf({ values }: Arguments, flag: string): Date | undefined {
  const text = values[flag]
  if (typeof text !== 'string') return undefined
  const date = new Date(text)
  if (Number.isNaN(date.getTime())) throw new CommandFailure(`--${flag} "${text}" is no date: 2026-03-01.`, 2)
  return date
}

function sealFrom({ values }: Arguments) {
  const text = values['seal']
  try {
    return typeof text === 'string' ? parseSeal(text) : undefined
  } catch (error) {
    throw new CommandFailure(`--seal: ${(error as TypeError).message}`, 2)
  }
}

const faultText = ({ kind, seq, id }: AuditFault): string =>
  `${kind}: ${[seq !== undefined && `number ${seq}`, id !== undefined && `row ${id}`].filter(Boolean).join(', ')}\n`

export const auditVerify: Command = {
  usage: '[--seal <seq>:<hash>]',
  summary: 'Check that no row of the audit log was changed, removed or inserted',
  options: { seal: { type: 'string' } },
  async run(args, shell) {
    const known = sealFrom(args)
    let faults = 0
    await asServer(args, shell, async (ctx) => {
      const report = await verifyAudit(ctx, known)
      faults = report.faultCount
      for (const fault of report.faults) shell.out(faultText(fault))
      if (faults > report.faults.length) shell.out(`and ${faults - report.faults.length} more\n`)
      const { head } = report
      if (head) shell.out(`Newest seal: ${head.seq}:${head.hash}\n`)
      shell.out(`Checked ${report.checked} rows; ${report.unsealed} wait for a seal.\n`)
    })
    shell.err(faults === 0 ? 'The audit log is whole.\n' : `The audit log has ${faults} faults.\n`)
    return faults === 0 ? 0 : 1
  },
}

export const auditExport: Command = {
  usage: '[--from <date>] [--to <date>]',
  summary: 'Print the audit log as lines of JSON, oldest first',
  options: { from: { type: 'string' }, to: { type: 'string' } },
  async run(args, shell) {
    const filter = { from: dateOf(args, 'from'), to: dateOf(args, 'to') }
    return asServer(args, shell, async (ctx) => {
      for await (const rows of exportAudit(ctx, filter)) {
        shell.out(rows.map(auditLine).join(''))
        await shell.taken?.()
      }
    })
  },
}
