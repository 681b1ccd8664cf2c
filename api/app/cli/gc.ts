import { enqueue } from '../../core/jobs/index.ts'
import { gcTicket, runSweeps } from '../../core/lfs/index.ts'
import { sweeps } from '../housekeeping.ts'
import { asServer } from './as-server.ts'
import type { Command } from './command.ts'
import { size } from './place.ts'
import { jsonOption } from './table.ts'

/** The figures of one part, as `marked 3, bytes 1.5 GiB`. */
function figuresOf(part: Record<string, unknown>): string {
  return Object.entries(part)
    .map(([name, value]) => `${name} ${name === 'bytes' && typeof value === 'number' ? size(value) : value}`)
    .join(', ')
}

export const gcCommand: Command = {
  usage: '[--dry-run] [--json]',
  summary: 'Free unused storage: queues the job for a worker; --dry-run reports what it would free',
  options: { 'dry-run': { type: 'boolean' }, ...jsonOption },
  run: (args, shell) =>
    asServer(args, shell, async (ctx) => {
      if (!args.values['dry-run']) {
        const { id } = await ctx.db.write((tx) => enqueue(tx, ctx, gcTicket, {}, { dedupKey: 'schedule' }))
        shell.out(args.values['json'] ? `${JSON.stringify({ job: id })}\n` : `Queued the job ${id}.\n`)
        return
      }
      const run = { dryRun: true, signal: ctx.signal, write: ctx.db.write.bind(ctx.db) }
      const report = await runSweeps(ctx, sweeps, run, { progress: async () => undefined })
      if (args.values['json']) return shell.out(`${JSON.stringify(report)}\n`)
      for (const [name, part] of Object.entries(report))
        if (typeof part === 'object' && part !== null) shell.out(`${name}: ${figuresOf({ ...part })}\n`)
    }),
}
