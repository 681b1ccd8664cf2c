import { queryOptions } from '@tanstack/react-query'
import { operationUrl, type Operations } from '../../../shared/client.ts'
import type {
  NamedFeature,
  ViewerFirstRows,
  ViewerPage,
  ViewerStatistics,
  ViewerValidity,
} from '../../../shared/viewer.ts'
import { viewerUrl, type ViewerQuery } from '../../../shared/viewer-urls.ts'
import type { DatasetStatus } from '../../../shared/vocabulary.ts'
import { api } from '../../lib/api.ts'
import { askAgainMs, maxAsks } from '../../lib/ask-again.ts'
import { isWorthWaiting, readExact } from '../../lib/exact-read.ts'
import { keyOf } from '../../lib/repo-queries.ts'
import type { RepoAddress } from '../../lib/types.ts'
import { blockRows, type RowSource } from '../../ui/grid/use-blocks.ts'

type Answer = Operations['getDatasetConfigs']['result']

export type Split = Answer['configs'][number]['splits'][number]

export interface Config extends Omit<Answer['configs'][number], 'features'> {
  features: NamedFeature[]
}

/** Configs and splits of a dataset with the state of their conversion. */
export interface DatasetConfigs extends Omit<Answer, 'configs'> {
  configs: Config[]
}

const isUnderWay = (status: DatasetStatus) => status === 'pending' || status === 'converting'

/** Whether something of a dataset is still being converted. */
export const isConverting = ({ status, configs }: DatasetConfigs): boolean =>
  isUnderWay(status) || configs.some((config) => isUnderWay(config.status))

/** Whether nothing is expected to change by itself. */
const isSettled = ({ status, commit, converted_commit: converted }: DatasetConfigs) =>
  status === 'disabled' || status === 'missing_files' || (status !== 'failed' && converted === commit)

/** Milliseconds until the state of a dataset is asked for again. What is behind or failed is, since the job of a later commit may not have begun. */
function askAgainAfter(data: DatasetConfigs | undefined, asks: number): number | false {
  if (!data || (!isConverting(data) && (isSettled(data) || asks > maxAsks))) return false
  return askAgainMs
}

export const configsQuery = (address: RepoAddress) =>
  queryOptions({
    queryKey: [...keyOf(address), 'configs'],
    queryFn: ({ signal }) =>
      readExact<DatasetConfigs>(operationUrl('getDatasetConfigs', { params: { ...address } }), signal),
    refetchInterval: ({ state }) => askAgainAfter(state.data, state.dataUpdateCount),
  })

/** The job that converts; asked often, since it is shown while it runs. */
export const conversionQuery = (id: string) =>
  queryOptions({
    queryKey: ['jobs', 'conversion', id],
    queryFn: ({ signal }) => api.getJob({ params: { id } }, { signal }),
    retry: false,
    refetchInterval: ({ state }) =>
      state.data && (state.data.status === 'queued' || state.data.status === 'running') ? 2000 : false,
  })

/** A split of a dataset, as of the commit it was converted from. */
export interface SplitAddress {
  address: RepoAddress
  config: string
  split: string
  /** Answers of another commit, or of a conversion that has come further, are others. */
  version: string
}

const baseOf = ({ address, config, split }: SplitAddress): ViewerQuery => ({
  dataset: `${address.ns}/${address.name}`,
  config,
  split,
})

const keyOfSplit = (at: SplitAddress) =>
  [...keyOf(at.address), 'viewer', at.config, at.split, at.version] as const

/** What can be asked of a split; more and more while its dataset is being converted. */
export const validityQuery = (at: SplitAddress, isUnfinished: boolean) =>
  queryOptions({
    queryKey: [...keyOfSplit(at), 'validity'],
    staleTime: isUnfinished ? 0 : Infinity,
    refetchInterval: isUnfinished ? askAgainMs : false,
    queryFn: ({ signal }) => readExact<ViewerValidity>(viewerUrl('is-valid', baseOf(at)), signal),
  })

export const statisticsQuery = (at: SplitAddress) =>
  queryOptions({
    queryKey: [...keyOfSplit(at), 'statistics'],
    staleTime: Infinity,
    retry: isWorthWaiting,
    retryDelay: 4000,
    queryFn: ({ signal }) => readExact<ViewerStatistics>(viewerUrl('statistics', baseOf(at)), signal),
  })

export const firstRowsQuery = (at: SplitAddress) =>
  queryOptions({
    queryKey: [...keyOfSplit(at), 'first-rows'],
    staleTime: Infinity,
    retry: isWorthWaiting,
    queryFn: ({ signal }) => readExact<ViewerFirstRows>(viewerUrl('first-rows', baseOf(at)), signal),
  })

/** What rows are asked for: all, those that a search finds, or those of a filter in an order. */
export interface RowsAsked {
  search: string
  where: string
  orderby: string
}

/** Whether rows are those of the split, in its order. */
export const isPlain = ({ search, where, orderby }: RowsAsked): boolean => !search && !where && !orderby

/** Reads rows from an offset on, at most 100. */
function readRows(at: SplitAddress, asked: RowsAsked, offset: number, signal: AbortSignal) {
  const { search, where, orderby } = asked
  const range = { ...baseOf(at), offset, length: blockRows }
  if (search) return readExact<ViewerPage>(viewerUrl('search', { ...range, query: search }), signal)
  if (isPlain(asked)) return readExact<ViewerPage>(viewerUrl('rows', range), signal)
  return readExact<ViewerPage>(viewerUrl('filter', { ...range, where, orderby }), signal)
}

/** Rows of a split for the table. */
export const rowSource = (at: SplitAddress, asked: RowsAsked): RowSource => ({
  key: [...keyOfSplit(at), 'rows', asked.search, asked.where, asked.orderby],
  read: (offset, signal) => readRows(at, asked, offset, signal),
  retry: isWorthWaiting,
})

/** The first rows of a split that is not converted yet, as a table's rows. */
export const previewSource = (at: SplitAddress): RowSource => ({
  key: [...keyOfSplit(at), 'preview'],
  retry: isWorthWaiting,
  read: async (offset, signal) => {
    const { features, rows } = await readExact<ViewerFirstRows>(viewerUrl('first-rows', baseOf(at)), signal)
    const page = rows.slice(offset, offset + blockRows)
    return { features, rows: page, num_rows_total: rows.length, num_rows_per_page: blockRows, partial: true }
  },
})

/** What a statement answers. */
export interface SqlAnswer {
  columns: { name: string; type: string }[]
  /** Long integers are `bigint`. */
  rows: unknown[][]
  /** Whether there are more rows. */
  truncated: boolean
  /** Whether a split was too large to be queried whole. */
  partial: boolean
}

/** The rows of one SELECT over the splits of a config. */
export const sqlQuery = (at: Omit<SplitAddress, 'split'>, statement: string) =>
  queryOptions({
    queryKey: [...keyOf(at.address), 'sql', at.config, at.version, statement],
    staleTime: Infinity,
    // Only what is still being loaded is worth asking for again: each run takes its time on the server.
    retry: isWorthWaiting,
    queryFn: ({ signal }) =>
      readExact<SqlAnswer>(
        viewerUrl('sql', {
          dataset: `${at.address.ns}/${at.address.name}`,
          config: at.config,
          query: statement,
        }),
        signal,
      ),
  })
