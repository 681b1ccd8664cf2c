import { repoPath } from './transfer.ts'

/** An operation of the viewer's API, which stands beside the native one and answers as the public dataset viewer does. */
export type ViewerEndpoint = 'is-valid' | 'first-rows' | 'rows' | 'search' | 'filter' | 'statistics' | 'sql'

/** What an operation of the viewer is asked; names and values as the public dataset viewer has them. */
export interface ViewerQuery {
  /** `{ns}/{name}` */
  dataset: string
  config: string
  split?: string
  query?: string
  where?: string
  orderby?: string
  offset?: number
  length?: number
}

/** The address of the rows of a filter or a search as a Parquet file, with these columns. */
export const downloadUrl = (query: ViewerQuery, columns: readonly string[]): string =>
  `/viewer-api/download?${search(query)}${columns.map((name) => `&column=${encodeURIComponent(name)}`).join('')}`

const search = (query: object): string =>
  new URLSearchParams(
    Object.entries(query)
      .filter(([, value]) => value !== undefined && value !== '')
      .map(([name, value]) => [name, String(value)]),
  ).toString()

/** The address of an operation of the viewer. */
export const viewerUrl = (endpoint: ViewerEndpoint, query: ViewerQuery): string =>
  `/viewer-api/${endpoint}?${search(query)}`

/** The address of a Parquet file that readers without a hub client open: `n` counts the files of the split from 0. */
export const parquetUrl = (
  repo: { type: string; ns: string; name: string },
  config: string,
  split: string,
  n: number,
): string =>
  `/api${repoPath(repo)}/parquet/${encodeURIComponent(config)}/${encodeURIComponent(split)}/${n}.parquet`
