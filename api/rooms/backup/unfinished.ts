import { mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../../platform/problems/index.ts'

const fileOf = (dataDir: string) => join(dataDir, 'restore.json')

/** The backup whose restore into this data folder has not finished, if any: no server may start on it. */
export async function unfinishedRestore(dataDir: string): Promise<string | undefined> {
  const text = await readFile(fileOf(dataDir), 'utf8').catch(ifAbsent)
  return text === undefined ? undefined : String((JSON.parse(text) as { id: unknown }).id)
}

/** Whether this very backup was being restored here. Problem `state-conflict` when it was another one. */
export async function isUnfinished(dataDir: string, id: string): Promise<boolean> {
  const begun = await unfinishedRestore(dataDir)
  if (begun === undefined || begun === id) return begun === id
  throw new Problem('state-conflict', {
    detail: `A restore of ${begun} has not finished. Continue it with --backup ${begun}, or empty the store, the database and ${dataDir}.`,
  })
}

/** Notes that a restore begins. */
export async function beginRestore(dataDir: string, id: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const file = await open(fileOf(dataDir), 'wx', 0o600)
  await file.writeFile(JSON.stringify({ id }))
  await file.sync().finally(() => file.close())
}

/** Notes that it has finished. */
export const endRestore = (dataDir: string): Promise<void> => rm(fileOf(dataDir), { force: true })

function ifAbsent(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}
