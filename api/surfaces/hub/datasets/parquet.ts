import type { Context } from 'hono'
import { Problem } from '../../../platform/problems/index.ts'
import type { Env } from '../../../core/http/env.ts'
import { EXPORT_REF, readDataset } from '../../../rooms/datasets/index.ts'
import { requireRepo } from '../../../rooms/repos/index.ts'
import { addressOf } from '../wire/address.ts'

const notFound = (detail: string) => new Problem('not-found', { detail })

/** The Parquet files of a dataset by config and split. Problem `not-found` before there is an export. */
async function filesOf(c: Context<Env>) {
  const { ctx } = c.var
  const repo = await requireRepo(ctx, addressOf(c), 'repo.files')
  const dataset = await readDataset(ctx.db, repo.id)
  if (!dataset || dataset.export_commit === null)
    throw notFound('This dataset has no Parquet export, or none yet. See its page for the reason.')
  const base = `${ctx.origin.baseUrl}/api/datasets/${repo.ns}/${repo.name}/parquet`
  return { repo, configs: dataset.configs, base }
}

type Files = Awaited<ReturnType<typeof filesOf>>

const urlsOf = ({ base }: Files, config: string, split: Files['configs'][number]['splits'][number]) =>
  split.files.map(
    (_, n) => `${base}/${encodeURIComponent(config)}/${encodeURIComponent(split.name)}/${n}.parquet`,
  )

const splitsOf = (files: Files, { name, splits }: Files['configs'][number]) =>
  Object.fromEntries(
    splits.filter((split) => split.files.length > 0).map((split) => [split.name, urlsOf(files, name, split)]),
  )

function configOf({ configs }: Files, c: Context<Env>) {
  const config = configs.find(({ name }) => name === c.req.param('config'))
  if (!config) throw notFound('There is no such config.')
  return config
}

function splitOf(files: Files, c: Context<Env>) {
  const config = configOf(files, c)
  const split = config.splits.find(({ name }) => name === c.req.param('split'))
  if (!split) throw notFound('There is no such split.')
  return { config, split }
}

/** `GET /api/datasets/{repo}/parquet`: addresses by config and split. */
export async function listParquet(c: Context<Env>): Promise<Response> {
  const files = await filesOf(c)
  return c.json(Object.fromEntries(files.configs.map((config) => [config.name, splitsOf(files, config)])))
}

/** `GET …/parquet/{config}`: addresses by split. */
export async function listParquetOfConfig(c: Context<Env>): Promise<Response> {
  const files = await filesOf(c)
  return c.json(splitsOf(files, configOf(files, c)))
}

/** `GET …/parquet/{config}/{split}`: addresses in the order of their rows. */
export async function listParquetOfSplit(c: Context<Env>): Promise<Response> {
  const files = await filesOf(c)
  const { config, split } = splitOf(files, c)
  return c.json(urlsOf(files, config.name, split))
}

/** `GET|HEAD …/parquet/{config}/{split}/{n}.parquet`: where the file lies. */
export async function sendParquet(c: Context<Env>): Promise<Response> {
  const files = await filesOf(c)
  const { split } = splitOf(files, c)
  const n = /^(\d{1,9})\.parquet$/.exec(c.req.param('file') ?? '')?.[1]
  const file = n === undefined ? undefined : split.files[Number(n)]
  if (!file) throw notFound('There is no such Parquet file.')
  const { ns, name } = files.repo
  const path = file.path.split('/').map(encodeURIComponent).join('/')
  return c.redirect(`/datasets/${ns}/${name}/resolve/${encodeURIComponent(EXPORT_REF)}/${path}`, 302)
}
