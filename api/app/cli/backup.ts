import { join } from 'node:path'
import { backup, listBackups, verifyBackup } from '../../rooms/backup/index.ts'
import type { Config } from '../../platform/config/index.ts'
import { schema } from '../schema.ts'
import { asServer } from './as-server.ts'
import { configOf, type Command } from './command.ts'
import { backupOf, progressOf, size, withPlace } from './place.ts'
import { counted, date, jsonOption, printRows } from './table.ts'

/** Where the operator finds the key, which a backup never holds. */
const keyNote = ({ security, server }: Config) =>
  security.instance_key
    ? 'The instance key is not part of it: keep security.instance_key apart.'
    : `The instance key is not part of it: keep a copy of ${join(server.data_dir, 'secrets.yaml')} apart.`

export const backupCommand: Command = {
  usage: '--to <folder|s3://bucket/prefix> [--incremental] [--json]',
  summary: 'Copy the database and all stored bytes, beside a running server; continues an interrupted one',
  options: { to: { type: 'string' }, incremental: { type: 'boolean' }, ...jsonOption },
  async run(args, shell) {
    const config = configOf(args, shell)
    let damaged = 0
    const status = await asServer(args, shell, (ctx) =>
      withPlace(args, { flag: 'to', config, shell }, async (place) => {
        const isIncremental = args.values['incremental'] === true
        const made = await backup(ctx, place, { schema, isIncremental, report: progressOf(shell) })
        damaged = made.damaged.length
        const { id, blobs, bytes, new_blobs, new_bytes } = made
        const figures = { blobs, bytes, new_blobs, new_bytes, damaged: made.damaged }
        if (args.values['json']) shell.out(`${JSON.stringify({ backup: id, ...figures })}\n`)
        else {
          shell.out(`Backup ${id}: ${counted(blobs, 'object')}, ${size(bytes)}; `)
          shell.out(`new: ${counted(new_blobs, 'object')}, ${size(new_bytes)}.\n`)
        }
        for (const { key, message } of made.damaged) shell.err(`Not copied: ${key}: ${message}\n`)
        shell.err(`${keyNote(config)}\n`)
      }),
    )
    if (damaged > 0) shell.err('Run "arsenal fsck --deep" to see what these bytes belong to.\n')
    return damaged > 0 ? 1 : status
  },
}

export const backupVerify: Command = {
  usage: '--from <folder|s3://bucket/prefix> [--backup <id>] [--json]',
  summary: 'Read every byte of a backup and compare it with what was written',
  options: { from: { type: 'string' }, backup: { type: 'string' }, ...jsonOption },
  async run(args, shell) {
    const config = configOf(args, shell)
    return withPlace(args, { flag: 'from', config, shell }, async (place) => {
      const found = await backupOf(args, place)
      const faults = []
      const { signal } = new AbortController()
      for await (const fault of verifyBackup(place, found, { report: progressOf(shell), signal })) {
        faults.push(fault)
        shell.err(`${fault.key}: ${fault.message}\n`)
      }
      const { id, complete } = found
      if (args.values['json'])
        shell.out(`${JSON.stringify({ backup: id, blobs: complete.blobs, bytes: complete.bytes, faults })}\n`)
      else
        shell.out(
          faults.length === 0
            ? `Backup ${id} is whole: ${counted(complete.blobs, 'object')}, ${size(complete.bytes)}.\n`
            : `Backup ${id} has ${counted(faults.length, 'fault')}.\n`,
        )
      return faults.length === 0 ? 0 : 1
    })
  },
}

export const backupList: Command = {
  usage: '--from <folder|s3://bucket/prefix> [--json]',
  summary: 'List the backups of a place',
  options: { from: { type: 'string' }, ...jsonOption },
  async run(args, shell) {
    const config = configOf(args, shell)
    return withPlace(args, { flag: 'from', config, shell }, async (place) => {
      const rows = (await listBackups(place)).map(({ id, snapshot, complete }) => ({
        id,
        taken_at: snapshot?.taken_at,
        release: snapshot?.version,
        is_complete: complete !== undefined,
        bytes: complete?.bytes,
        new_bytes: complete?.new_bytes,
      }))
      async function* pages() {
        yield rows
      }
      await printRows(
        args,
        shell,
        [
          ['BACKUP', ({ id }) => id],
          ['TAKEN', ({ taken_at }) => date(taken_at === undefined ? null : new Date(taken_at))],
          ['RELEASE', ({ release = '-' }) => release],
          ['STATE', ({ is_complete }) => (is_complete ? 'complete' : 'interrupted')],
          ['SIZE', ({ bytes }) => (bytes === undefined ? '-' : size(bytes))],
          ['NEW', ({ new_bytes }) => (new_bytes === undefined ? '-' : size(new_bytes))],
        ],
        pages(),
      )
      return 0
    })
  },
}
