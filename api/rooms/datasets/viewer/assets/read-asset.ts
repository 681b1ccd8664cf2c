import { system } from '../../../../core/access/index.ts'
import type { Ctx } from '../../../../core/ctx.ts'
import { Problem } from '../../../../platform/problems/index.ts'
import { requireRepo } from '../../../repos/index.ts'
import { readDataset } from '../../facts.ts'
import { extensionOf } from '../cells/extension.ts'
import { openDataFile, readData } from '../threads.ts'
import { ViewerFault } from '../viewer-fault.ts'
import { mimeOf } from './address.ts'

export interface AssetBytes {
  bytes: Uint8Array
  /** Of the allow-list, else `application/octet-stream`. */
  mime: string
}

const gone = () => new ViewerFault('ResponseNotFound', 'There is no such asset, or no longer.')

/** `/assets/{ns}/{name}/--/{sha}/--/{config}/{split}/{row}/{column}/{file}`, each part decoded. */
function placeOf(parts: string[]) {
  const [ns, name, dashes, revision, more, config, split, row, column, file] = parts
  const isWhole = parts.length === 10 && file !== undefined && dashes === '--' && more === '--'
  if (!isWhole || !ns || !name || !config || !split || column === undefined || !/^\d{1,15}$/.test(row ?? ''))
    throw gone()
  return { ns, name, revision, config, split, row: Number(row), column }
}

function innerPath(text: string | undefined): (string | number)[] {
  if (text === undefined) return []
  const parsed: unknown = JSON.parse(text)
  return Array.isArray(parsed)
    ? parsed.filter((step) => typeof step === 'string' || typeof step === 'number')
    : []
}

/**
 * The bytes of a media cell, by an address that this server signed: its holder was shown the cell, and needs no
 * other right for as long as it is good.
 */
export async function readAsset(
  ctx: Ctx,
  url: string,
  parts: string[],
  at: string | undefined,
): Promise<AssetBytes> {
  const verdict = ctx.secrets.verifyUrl('GET', url, ctx.now())
  if (verdict !== 'valid')
    throw new ViewerFault(
      'ResponseNotFound',
      verdict === 'expired' ? 'This address has expired. Ask for the row again.' : 'There is no such asset.',
    )
  const place = placeOf(parts)
  const asServer = { ...ctx, actor: system, signal: ctx.signal }
  const repo = await requireRepo(
    asServer,
    { type: 'dataset', ns: place.ns, name: place.name },
    'repo.files',
  ).catch((error: unknown) => {
    throw error instanceof Problem && error.status < 500 ? gone() : error
  })
  const dataset = await readDataset(ctx.db, repo.id)
  const config = dataset?.configs.find(({ name }) => name === place.config)
  const split = config?.splits.find(({ name }) => name === place.split)
  // An export of another commit may have another picture at this place.
  if (!split || dataset?.converted_commit !== place.revision) throw gone()
  let { row } = place
  for (const { sha256, rows } of split.files) {
    if (row < rows) {
      const file = await openDataFile(asServer, repo.id, sha256)
      const limit = ctx.config.viewer.max_request_bytes
      const cell = { work: 'media', key: sha256, row, at: [place.column, ...innerPath(at)], limit } as const
      const { bytes } = await readData(asServer, file, { ...cell, at: [...cell.at] })
      if (!bytes) throw gone()
      return { bytes, mime: mimeOf(extensionOf(bytes)) }
    }
    row -= rows
  }
  throw gone()
}
