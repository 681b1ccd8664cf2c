import type { Ctx } from '../../../../core/ctx.ts'
import { mediaText } from '../assets/address.ts'
import { findAnswer } from '../answers.ts'
import { fitFirstRows } from '../first-rows.ts'
import { isExported, notExported, requireConfig, requireSplit, type Viewed } from '../open.ts'
import { featuresText, pageText } from '../page-text.ts'
import { pageOf, PAGE_ROWS, required, type Params } from '../params.ts'
import { columnsOf, readSplitRows } from '../split-rows.ts'

function placeOf(viewed: Viewed, params: Params) {
  const names = { config: required(params, 'config'), split: required(params, 'split') }
  const config = requireConfig(viewed, names.config)
  return { config, split: requireSplit(config, names.split) }
}

/** A split with an export, of the parameters `config` and `split`. */
export function requireExported(viewed: Viewed, params: Params) {
  const { config, split } = placeOf(viewed, params)
  columnsOf(config)
  if (!isExported(split)) throw notExported(viewed, config, split)
  return { config, split, rows: split.rows ?? 0 }
}

/** `/rows`: a page of a split, as JSON text. */
export async function pageRows(ctx: Ctx, viewed: Viewed, params: Params): Promise<string> {
  const { config, split, rows: total } = requireExported(viewed, params)
  const { offset, length } = pageOf(params)
  const cellBytes = ctx.config.viewer.max_cell_bytes
  const ranges = [{ start: offset, end: Math.min(offset + length, total) }]
  const rows = await readSplitRows(ctx, viewed, { config, split, ranges, cellBytes })
  const media = mediaText(ctx, { viewed, config: config.name, split: split.name })
  return pageText(columnsOf(config), rows, media, { total, partial: split.is_partial })
}

/** `/first-rows`: of the export, or what was read of the source before there is one. */
export async function firstRows(ctx: Ctx, viewed: Viewed, params: Params): Promise<string> {
  const { config, split } = placeOf(viewed, params)
  const features = columnsOf(config)
  const head = JSON.stringify({ dataset: viewed.name, config: config.name, split: split.name }).slice(0, -1)
  if (!isExported(split)) {
    const at = { repo_id: viewed.repo.id, config: config.name, split: split.name }
    const kept = await findAnswer(ctx.db, { ...at, kind: 'first_rows' })
    if (!kept) throw notExported(viewed, config, split)
    return `${head},${kept.json.slice(1)}`
  }
  const cellBytes = ctx.config.viewer.max_cell_bytes
  const ranges = [{ start: 0, end: Math.min(PAGE_ROWS, split.rows ?? 0) }]
  const rows = await readSplitRows(ctx, viewed, { config, split, ranges, cellBytes })
  const media = mediaText(ctx, { viewed, config: config.name, split: split.name })
  const { texts, isWhole } = fitFirstRows(features, rows, media)
  const truncated = !isWhole || split.is_partial || rows.length < (split.rows ?? 0)
  return `${head},"features":${featuresText(features)},"rows":[${texts.join(',')}],"truncated":${truncated}}`
}
