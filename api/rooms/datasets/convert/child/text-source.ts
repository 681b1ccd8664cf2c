import { ident, list } from '../../sql-text.ts'
import { endsIn, type PlainFile } from './materialise.ts'
import type { TableTask } from './messages.ts'
import type { Source } from './source.ts'
import { TaskFault } from './task-fault.ts'

const MAX_LINE_BYTES = 16 * 1024 * 1024
/** Four characters that no text has in a row: each line is one field. */
const NEVER = '\u001d\u001e\u001f\u001c'
const known = new Set(['version', 'description', 'encoding', 'chunksize', 'sample_by', 'keep_linebreaks'])

const units = ['line', 'paragraph', 'document']

/** Text files as a query: a row for each line, paragraph or file. XML files are a row each. */
export async function textSource(
  { builder, options, features }: TableTask,
  files: readonly PlainFile[],
): Promise<Source> {
  const unit = builder === 'xml' ? 'document' : (options['sample_by'] ?? 'line')
  if (typeof unit !== 'string' || !units.includes(unit))
    throw new TaskFault(
      'DatasetGenerationError',
      `The card splits the text by ${JSON.stringify(unit)}. Set sample_by to line, paragraph or document.`,
    )
  const named = features?.[0]?.name ?? builder
  const own =
    features && features.length === 1
      ? features
      : [{ name: named, type: { _type: 'Value' as const, dtype: 'string' } }]
  const { keep_linebreaks: keeps } = options
  const isKnown = (key: string) =>
    known.has(key) && (key !== 'keep_linebreaks' || typeof (keeps ?? false) === 'boolean')
  const unknown = Object.keys(options).filter((key) => !isKnown(key))
  const paths = files.filter(({ sizeBytes }) => sizeBytes > 0).map(({ path }) => path)
  if (paths.length === 0) throw new TaskFault('EmptyDatasetError', 'The files are empty.')
  const column = ident(named)
  return {
    sql: unit === 'line' && keeps === true ? await wholeLines(paths, column) : select(unit, paths, column),
    features: own,
    // The XML builder of datasets 5.2.0 opens no file, so there is nothing to agree with.
    isExact: unknown.length === 0 && builder !== 'xml',
    warnings: unknown.map((key) => `The option ${key} of the card is not used here.`),
  }
}

function select(unit: string, paths: readonly string[], column: string): string {
  const document = `FROM read_text(${list(paths)})`
  if (unit === 'document') return `SELECT content AS ${column} ${document}`
  if (unit === 'paragraph')
    return `SELECT unnest(list_filter(string_split(content, chr(10) || chr(10)), lambda p: p <> '')) AS ${column} ${document}`
  return `SELECT coalesce(line, '') AS ${column} FROM ${linesOf(paths)}`
}

const linesOf = (paths: readonly string[]) =>
  `read_csv(${list(paths)}, columns={'line': 'VARCHAR'}, auto_detect=false, delim='${NEVER}', quote='', escape='', header=false, nullstr='', new_line='\\n', parallel=false, strict_mode=false, max_line_size=${MAX_LINE_BYTES}, buffer_size=${2 * MAX_LINE_BYTES}, compression='none')`

/** Lines with their ends, which the last one of a file may lack. */
async function wholeLines(paths: readonly string[], column: string): Promise<string> {
  const groups: { isEnded: boolean; paths: string[] }[] = []
  for (const path of paths) {
    const isEnded = await endsIn(path, '\n')
    const last = groups.at(-1)
    if (isEnded && last?.isEnded) last.paths.push(path)
    else groups.push({ isEnded, paths: [path] })
  }
  const line = "coalesce(line, '')"
  const selects = groups.map((group) => {
    const end = group.isEnded ? 'chr(10)' : "CASE WHEN lead(true) OVER () THEN chr(10) ELSE '' END"
    return `SELECT ${line} || ${end} AS ${column} FROM ${linesOf(group.paths)}`
  })
  return selects.join(' UNION ALL ')
}
