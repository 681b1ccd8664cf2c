import { describe, expect, test } from 'vitest'
import { dispositionOf, mediaTypeOf } from './content-headers.ts'

describe('stored content', () => {
  test.each([
    ['a/b.html', 'text/plain; charset=utf-8', true],
    ['logo.svg', 'text/plain; charset=utf-8', true],
    ['run.js', 'text/plain; charset=utf-8', true],
    ['style.css', 'text/plain; charset=utf-8', true],
    ['config.json', 'text/plain; charset=utf-8', true],
    ['train.jsonl', 'text/plain; charset=utf-8', true],
    ['LICENSE', 'text/plain; charset=utf-8', true],
    ['dir.v1/LICENSE', 'text/plain; charset=utf-8', true],
    ['dir.png/unknown', 'application/octet-stream', false],
    ['photo.PNG', 'image/png', true],
    ['speech.wav', 'audio/wav', true],
    ['paper.pdf', 'application/pdf', true],
    ['model.safetensors', 'application/octet-stream', false],
    ['evil.swf', 'application/octet-stream', false],
  ])('%s is sent as %s', (path, type, isShown) => {
    expect(mediaTypeOf(path)).toEqual({ type, isShown })
    expect(mediaTypeOf(path)).toEqual({ type, isShown })
  })

  test('a name goes into the header as clients parse it and cannot end it', () => {
    expect(dispositionOf('d/ü "x"\r\n.bin', false)).toBe(
      `attachment; filename*=UTF-8''%C3%BC%20%22x%22%0D%0A.bin; filename="_ _x___.bin";`,
    )
    expect(dispositionOf('config.json', true)).toBe(
      `inline; filename*=UTF-8''config.json; filename="config.json";`,
    )
  })
})
