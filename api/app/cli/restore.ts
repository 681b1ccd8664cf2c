import type { Config } from '../../platform/config/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { healFrom, restore, type Found } from '../../rooms/backup/index.ts'
import { lockPlace, PlaceTaken, type Unlock } from '../../stores/db/index.ts'
import { openBlobStore, type BlobStore } from '../../stores/storage/index.ts'
import { scrubs } from '../housekeeping.ts'
import { schema } from '../schema.ts'
import { asServer } from './as-server.ts'
import { CommandFailure, configOf, type Arguments, type Command, type Shell } from './command.ts'
import { runChecks } from './fsck.ts'
import { backupOf, progressOf, size, withPlace } from './place.ts'
import { closeDeps, openDeps } from './stores.ts'
import { loggerOf } from './telemetry.ts'
import { counted, jsonOption } from './table.ts'

/** With SQLite no server may work on the same files. */
async function lockOf({ server, database }: Config): Promise<Unlock> {
  if (database.driver !== 'sqlite') return async () => undefined
  try {
    return await lockPlace({ dataDir: server.data_dir, dsn: database.dsn })
  } catch (error) {
    if (error instanceof PlaceTaken) throw new CommandFailure(error.message)
    throw error
  }
}

async function bringBack(place: BlobStore, found: Required<Found>, config: Config, shell: Shell) {
  const blobs = await openBlobStore(config.storage)
  const { signal } = new AbortController()
  try {
    return await restore(place, found, { config, blobs, schema, report: progressOf(shell), signal })
  } catch (error) {
    if (error instanceof Problem) throw new CommandFailure(error.message)
    throw error
  } finally {
    await blobs.close()
  }
}

/** What was due since the backup was made is late by nature, and another key is reported by itself. */
const isOfTime = (check: string) => /\.(deadline|delivery|secret)$/.test(check)

/** Looks for damage in what was restored; answers how many errors there are. */
async function check(found: Required<Found>, config: Config, shell: Shell, isDeep: boolean) {
  const deps = await openDeps(config, loggerOf(config))
  try {
    if (deps.secrets.tagOf('instance', 'key') !== found.snapshot.key_tag)
      shell.err(
        'The instance key is another one than when the backup was made: sealed secrets (tokens for upstreams, secrets of webhooks) cannot be opened, and people sign in again. Put the former secrets.yaml into server.data_dir, or set security.instance_key.\n',
      )
    const isMeant = ({ check: name }: { check: string }) => !isOfTime(name)
    return await runChecks(deps, { deep: isDeep, repair: false }, { out: (text) => shell.err(text), isMeant })
  } finally {
    await closeDeps(deps)
  }
}

/** Heals what was found damaged here; everything else stays as it is. */
async function healDamaged(args: Arguments, place: BlobStore, found: Required<Found>, shell: Shell) {
  let [healed, left] = [0, 0]
  const status = await asServer(args, shell, async (ctx) => {
    for await (const { key, isHealed, message } of healFrom(ctx, place, { found, scrubs })) {
      if (isHealed) healed++
      else left++
      shell.err(`${key}: ${message}\n`)
    }
  })
  if (args.values['json']) shell.out(`${JSON.stringify({ backup: found.id, healed, left })}\n`)
  else shell.out(`Healed ${counted(healed, 'object')}; ${left} left.\n`)
  return left > 0 ? 1 : status
}

export const restoreCommand: Command = {
  usage: '--from <folder|s3://bucket/prefix> [--backup <id>] [--verify | --damaged] [--json]',
  summary: 'Put a backup into the configured store and database, which are empty, and look for damage',
  options: {
    from: { type: 'string' },
    backup: { type: 'string' },
    verify: { type: 'boolean' },
    damaged: { type: 'boolean' },
    ...jsonOption,
  },
  async run(args, shell) {
    const config = configOf(args, shell)
    return withPlace(args, { flag: 'from', config, shell }, async (place) => {
      const found = await backupOf(args, place)
      if (args.values['damaged']) return healDamaged(args, place, found, shell)
      const unlock = await lockOf(config)
      try {
        const { blobs, rows } = await bringBack(place, found, config, shell)
        const isDeep = args.values['verify'] === true
        const errors = await check(found, config, shell, isDeep)
        const { id, complete, snapshot } = found
        if (args.values['json'])
          shell.out(`${JSON.stringify({ backup: id, taken_at: snapshot.taken_at, blobs, rows, errors })}\n`)
        else {
          const bytes = size(complete.bytes)
          shell.out(`Restored ${id}: ${counted(rows, 'row')}, ${counted(blobs, 'object')}, ${bytes}. `)
          shell.out(errors === 0 ? 'Nothing is damaged.\n' : `${counted(errors, 'error')} found.\n`)
        }
        return errors === 0 ? 0 : 1
      } finally {
        await unlock()
      }
    })
  },
}
