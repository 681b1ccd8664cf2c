import { list } from './duck.ts'
import type { PlainFile } from './materialise.ts'
import type { TableTask } from './messages.ts'
import type { Source } from './source.ts'
import { TaskFault } from './task-fault.ts'

const MAX_LINE_BYTES = 16 * 1024 * 1024
/** Four characters that no text has in a row: each line is one field. */
const NEVER = '\u001d\u001e\u001f\u001c'
const known = new Set(['version', 'description', 'encoding', 'chunksize', 'sample_by'])

const units = ['line', 'paragraph', 'document']

/** Text files as a query: a row for each line, paragraph or file. XML files are a row each. */
export function textSource({ builder, options, features }: TableTask, files: readonly PlainFile[]): Source {
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
  const unknown = Object.keys(options).filter((key) => !known.has(key))
  const paths = files.filter(({ sizeBytes }) => sizeBytes > 0).map(({ path }) => path)
  if (paths.length === 0) throw new TaskFault('EmptyDatasetError', 'The files are empty.')
  return {
    sql: select(unit, list(paths), `"${named.replaceAll('"', '""')}"`),
    features: own,
    // The XML builder of datasets 5.2.0 opens no file, so there is nothing to agree with.
    isExact: unknown.length === 0 && builder !== 'xml',
    warnings: unknown.map((key) => `The option ${key} of the card is not used here.`),
  }
}

function select(unit: string, paths: string, column: string): string {
  const document = `FROM read_text(${paths})`
  if (unit === 'document') return `SELECT content AS ${column} ${document}`
  if (unit === 'paragraph')
    return `SELECT unnest(list_filter(string_split(content, chr(10) || chr(10)), lambda p: p <> '')) AS ${column} ${document}`
  return `SELECT coalesce(line, '') AS ${column} FROM read_csv(${paths}, columns={'line': 'VARCHAR'}, auto_detect=false, delim='${NEVER}', quote='', escape='', header=false, nullstr='', new_line='\\n', parallel=false, strict_mode=false, max_line_size=${MAX_LINE_BYTES}, buffer_size=${2 * MAX_LINE_BYTES}, compression='none')`
}
