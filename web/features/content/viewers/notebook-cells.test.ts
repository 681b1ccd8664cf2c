import { expect, test } from 'vitest'
import { readNotebook } from './notebook-cells.ts'

const notebook = (cells: unknown[]) =>
  JSON.stringify({ cells, metadata: { language_info: { name: 'julia' } }, nbformat: 4 })

test('cells and their outputs are read; HTML gives way to plain text', () => {
  const read = readNotebook(
    notebook([
      { cell_type: 'markdown', source: ['# A\n', 'b'] },
      {
        cell_type: 'code',
        execution_count: 3,
        source: 'x',
        outputs: [
          { output_type: 'stream', text: ['1\n'] },
          { output_type: 'execute_result', data: { 'text/html': '<script>', 'text/plain': 'one' } },
          { output_type: 'display_data', data: { 'image/png': 'iVBORw0K\nGgo=' } },
          { output_type: 'display_data', data: { 'text/html': '<b>' } },
          { output_type: 'error', ename: 'E', evalue: 'v', traceback: ['\u001b[0;31mE\u001b[0m: v'] },
        ],
      },
    ]),
  )
  expect(read?.language).toBe('julia')
  expect(read?.cells[0]).toEqual({ kind: 'markdown', source: '# A\nb', count: undefined, outputs: [] })
  expect(read?.cells[1]?.outputs).toEqual([
    { kind: 'text', text: '1\n' },
    { kind: 'text', text: 'one' },
    { kind: 'image', url: 'data:image/png;base64,iVBORw0KGgo=' },
    { kind: 'left-out', formats: 'text/html' },
    { kind: 'text', text: 'E: v', isError: true },
  ])
})

test('what is no notebook is not read as one', () => {
  for (const text of ['', '[]', '{"cells": 1}', '{"worksheets": []}'])
    expect(readNotebook(text)).toBeUndefined()
})
