import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parse, stringify } from 'yaml'

/** Where generated secrets lie: a mapping of name to text that only the owner may read. */
export function secretsFile(dataDir: string): string {
  return join(dataDir, 'secrets.yaml')
}

/** Every entry of the file; none when there is no file yet. */
export async function readSecrets(dataDir: string): Promise<Record<string, unknown>> {
  const file = secretsFile(dataDir)
  try {
    const content: unknown = parse(await readFile(file, 'utf8'))
    if (typeof content === 'object' && content !== null) return { ...content }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    // The parser's message would quote the line, which may hold a key.
    if (error instanceof Error && error.name.startsWith('YAML'))
      throw new Error(`${file} is not YAML; restore it from a backup`)
    throw error
  }
  throw new Error(`${file} is empty or no mapping; restore it from a backup, or remove it to make new keys`)
}

/**
 * A secret that the file keeps under `name`; made and stored durably when it is absent.
 * The caller holds the lock of the data folder, so no other process writes the file.
 */
export async function keepSecret(dataDir: string, name: string, make: () => string): Promise<string> {
  const entries = await readSecrets(dataDir)
  const kept = entries[name]
  if (typeof kept === 'string' && kept !== '') return kept
  const made = make()
  await writeSecrets(dataDir, { ...entries, [name]: made })
  return made
}

async function writeSecrets(dataDir: string, entries: Record<string, unknown>): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const file = secretsFile(dataDir)
  const temporary = `${file}.${randomUUID()}`
  await writeDurably(temporary, 'wx', stringify(entries))
  await rename(temporary, file)
  const folder = await open(dirname(file), 'r')
  await folder.sync().finally(() => folder.close())
}

async function writeDurably(path: string, flags: string, text: string): Promise<void> {
  const handle = await open(path, flags, 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
