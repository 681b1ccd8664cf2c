import {
  findBackup,
  isWithin,
  NotAPlace,
  openPlace,
  type Found,
  type Progress,
} from '../../rooms/backup/index.ts'
import type { Config } from '../../platform/config/index.ts'
import { StoreError, type BlobStore } from '../../stores/storage/index.ts'
import { CommandFailure, type Arguments, type Shell } from './command.ts'

/** How often a line of progress is printed: a log of cron stays short. */
const EVERY_MS = 5000
const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']

/** `1.5 GiB`. */
export function size(bytes: number): string {
  const n = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${n === 0 ? bytes : (bytes / 1024 ** n).toFixed(1)} ${units[n]}`
}

/** Prints progress for the person who waits, a line every few seconds. */
export function progressOf({ err }: Pick<Shell, 'err'>): (progress: Progress) => void {
  let next = performance.now() + EVERY_MS
  return ({ step, done, total, bytes }) => {
    if (performance.now() < next) return
    next = performance.now() + EVERY_MS
    err(`${step}: ${done} of ${total}, ${size(bytes)}\n`)
  }
}

/** Opens the place that `--to` or `--from` names, uses and closes it. What the operator can fix is one line. */
export async function withPlace<T>(
  { values }: Arguments,
  { flag, config, shell }: { flag: 'to' | 'from'; config: Config; shell: Shell },
  use: (place: BlobStore) => Promise<T>,
): Promise<T> {
  const address = values[flag]
  if (typeof address !== 'string' || address === '')
    throw new CommandFailure(`--${flag} is missing: name a folder, or s3://bucket/prefix.`, 2)
  if (isWithin(address, config))
    throw new CommandFailure(
      `--${flag} "${address}" lies in the server's own blob store. Name another place.`,
      2,
    )
  try {
    const place = await openPlace(address, config, shell.env)
    return await use(place).finally(() => place.close())
  } catch (error) {
    if (error instanceof NotAPlace) throw new CommandFailure(`--${flag}: ${error.message}`, 2)
    if (error instanceof StoreError)
      throw new CommandFailure(error.detail ?? `A store cannot be used: ${error.message}`)
    throw error
  }
}

/** The backup that `--backup` names, or the newest complete one. */
export async function backupOf({ values }: Arguments, place: BlobStore): Promise<Required<Found>> {
  const id = typeof values['backup'] === 'string' ? values['backup'] : undefined
  const found = await findBackup(place, id)
  if (found) return found
  throw new CommandFailure(
    id === undefined ? 'The place holds no complete backup.' : `The place holds no complete backup ${id}.`,
  )
}
