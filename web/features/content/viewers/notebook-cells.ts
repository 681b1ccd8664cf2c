/** What is shown of one output of a cell. */
export type Output =
  | { kind: 'text'; text: string; isError?: boolean }
  | { kind: 'image'; url: string }
  /** Formats that would run in the page, such as HTML. */
  | { kind: 'left-out'; formats: string }

export interface Cell {
  kind: 'markdown' | 'code' | 'raw'
  source: string
  count: number | undefined
  outputs: Output[]
}

export interface NotebookText {
  language: string
  cells: Cell[]
}

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null
const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.map(String).join('') : typeof value === 'string' ? value : ''
// Colours of terminals, which a traceback is full of.
const plain = (text: string) => text.replaceAll(/\u001b\[[0-9;]*m/g, '')

/** The cells of a notebook of format 4; `undefined` for what is none. */
export function readNotebook(text: string): NotebookText | undefined {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isObject(read) || !Array.isArray(read['cells'])) return undefined
  const metadata = isObject(read['metadata']) ? read['metadata'] : {}
  const info = isObject(metadata['language_info']) ? metadata['language_info'] : {}
  return {
    language: typeof info['name'] === 'string' ? info['name'] : 'python',
    cells: read['cells'].filter(isObject).map(readCell),
  }
}

function readCell(cell: Json): Cell {
  const kind = cell['cell_type'] === 'markdown' ? 'markdown' : cell['cell_type'] === 'code' ? 'code' : 'raw'
  const count = cell['execution_count']
  const outputs = Array.isArray(cell['outputs']) ? cell['outputs'].filter(isObject) : []
  return {
    kind,
    source: textOf(cell['source']),
    count: typeof count === 'number' ? count : undefined,
    outputs: kind === 'code' ? outputs.map(readOutput) : [],
  }
}

const images = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

function readOutput(output: Json): Output {
  if (output['output_type'] === 'stream') return { kind: 'text', text: plain(textOf(output['text'])) }
  if (output['output_type'] === 'error') {
    const lines = Array.isArray(output['traceback']) ? output['traceback'].map(String) : []
    const short = `${textOf(output['ename'])}: ${textOf(output['evalue'])}`
    return { kind: 'text', text: plain(lines.join('\n')) || short, isError: true }
  }
  const data = isObject(output['data']) ? output['data'] : {}
  for (const type of images) {
    const bytes = textOf(data[type]).replaceAll(/\s/g, '')
    if (/^[A-Za-z0-9+/]+=*$/.test(bytes)) return { kind: 'image', url: `data:${type};base64,${bytes}` }
  }
  const text = textOf(data['text/plain'])
  return text
    ? { kind: 'text', text: plain(text) }
    : { kind: 'left-out', formats: Object.keys(data).join(', ') }
}
