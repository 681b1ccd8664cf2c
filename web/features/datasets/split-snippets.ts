import { parquetUrl } from '../../../shared/viewer-urls.ts'
import { pythonEndpoint, type Command } from '../../ui/commands/deeds.ts'

/** What the code is made for. */
export interface SnippetSplit {
  type: string
  ns: string
  name: string
  config: string
  split: string
  /** Parquet files of the split. */
  files: number
  /** Whether readers need a token. */
  isClosed: boolean
}

const text = (value: string) => JSON.stringify(value)

/** Code that loads a split from this server, the usual library first. */
export function splitSnippets(at: SnippetSplit, origin: string): Command[] {
  const { ns, name, config, split, isClosed } = at
  const urls = Array.from(
    { length: Math.min(at.files, shownFiles) },
    (_, n) => origin + parquetUrl(at, config, split, n),
  )
  const list =
    urls.length === 1 ? text(urls[0] ?? '') : `[\n${urls.map((url) => `    ${text(url)},\n`).join('')}]`
  const id = `${ns}/${name}`
  const more = at.files > shownFiles ? `# …and ${at.files - shownFiles} more files: see Download\n` : ''
  const token = isClosed ? ', storage_options={"Authorization": "Bearer hf_…"}' : ''
  const pandas =
    urls.length === 1
      ? `df = pd.read_parquet(${list}${token})`
      : `urls = ${list}\ndf = pd.concat(pd.read_parquet(url${token}) for url in urls)`
  // polars sends no header of its own to a web address.
  const polars = isClosed
    ? `import polars as pl\nimport requests\n\nheaders = {"Authorization": "Bearer hf_…"}\nurls = ${urls.length === 1 ? `[${list}]` : list}\ndf = pl.concat(pl.read_parquet(requests.get(url, headers=headers).content) for url in urls)`
    : `import polars as pl\n\ndf = pl.read_parquet(${list})`
  const secret = isClosed ? `CREATE SECRET (TYPE http, BEARER_TOKEN 'hf_…', SCOPE '${origin}');\n` : ''
  const sqlList = urls.map((url) => `'${url.replaceAll("'", "''")}'`).join(',\n  ')
  return [
    {
      id: 'datasets',
      label: 'datasets',
      code: `${pythonEndpoint(origin)}\n\nfrom datasets import load_dataset\n\nds = load_dataset(${text(id)}, ${text(config)}, split=${text(split)})`,
    },
    {
      id: 'duckdb',
      label: 'DuckDB',
      code: `${more.replace('#', '--')}${secret}SELECT * FROM read_parquet([\n  ${sqlList}\n]) LIMIT 10;`,
    },
    { id: 'pandas', label: 'pandas', code: `${more}import pandas as pd\n\n${pandas}` },
    { id: 'polars', label: 'polars', code: `${more}${polars}` },
  ]
}

/** Files that code names one by one. */
const shownFiles = 5
