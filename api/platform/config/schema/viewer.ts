import { bool, duration, int, size } from '../makers.ts'
import { section } from './section.ts'

export const viewer = section({
  enabled: bool(true).describe('Turns Parquet export and the viewer on.'),
  max_convert_bytes: size('5GiB').describe('Larger splits get a partial Parquet export.'),
  max_scan_rows: int(5_000_000, { min: 1 }).describe(
    'Rows scanned by one filter or search request before partial results.',
  ),
  max_scan_seconds: duration('10s', { min: 1 }).describe(
    'Time limit of one filter or search request before partial results.',
  ),
  max_cell_bytes: size('100KiB', { min: 1 }).describe('Larger cells are truncated in responses.'),
  max_request_bytes: size('300000000', { min: 1 }).describe(
    'Decoded Parquet data one viewer request may hold; larger needs answer with an error.',
  ),
  convert_concurrency: int(1, { min: 1 }).describe('`dataset.convert` jobs per worker.'),
})
