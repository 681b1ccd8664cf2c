import { list } from './duck.ts'
import type { PlainFile } from './materialise.ts'
import type { TableTask } from './messages.ts'
import type { Source } from './source.ts'
import { TaskFault } from './task-fault.ts'

const MAX_LINE_BYTES = 16 * 1024 * 1024
/** Four characters that no text has in a row: each line is one field. */
const NEVER = '\u001d\u001e\u001f\u001c'
const known = new Set(['version', 'description', 'encoding', 'chunksize', 'sample_by'])

/** Text files as a query: a row for each line. */
export function textSource({ options, features }: TableTask, files: readonly PlainFile[]): Source {
  const { sample_by } = options
  if (sample_by !== undefined && sample_by !== 'line' && sample_by !== 'document')
    throw new TaskFault(
      'DatasetGenerationError',
      `The card splits the text by ${String(sample_by)}, which is not converted here. Use lines or documents.`,
    )
  const named = features?.[0]?.name ?? 'text'
  const own =
    features && features.length === 1
      ? features
      : [{ name: named, type: { _type: 'Value' as const, dtype: 'string' } }]
  const unknown = Object.keys(options).filter((key) => !known.has(key))
  const paths = files.filter(({ sizeBytes }) => sizeBytes > 0).map(({ path }) => path)
  if (paths.length === 0) throw new TaskFault('EmptyDatasetError', 'The files are empty.')
  const column = `"${named.replaceAll('"', '""')}"`
  const sql =
    sample_by === 'document'
      ? `SELECT content AS ${column} FROM read_text(${list(paths)})`
      : `SELECT coalesce(line, '') AS ${column} FROM read_csv(${list(paths)}, columns={'line': 'VARCHAR'}, auto_detect=false, delim='${NEVER}', quote='', escape='', header=false, nullstr='', new_line='\\n', parallel=false, strict_mode=false, max_line_size=${MAX_LINE_BYTES}, buffer_size=${2 * MAX_LINE_BYTES}, compression='none')`
  return {
    sql,
    features: own,
    isExact: unknown.length === 0,
    warnings: unknown.map((key) => `The option ${key} of the card is not used here.`),
  }
}
