import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { inMemory } from '../parsers/index.ts'
import { GgufBytes, ggufFile } from '../parsers/testing/samples.ts'
import { scanBytes } from './scan-bytes.ts'
import { call, pickle } from './testing/pickles.ts'
import { zipOf } from './testing/zips.ts'

const scan = (content: Uint8Array | string, path: string) => {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content
  const { status, problems } = scanBytes({ path }, inMemory(bytes))
  return { status, codes: problems.map(({ code }) => code), problems }
}
const plain = pickle('\x80\x04N.')
/** A member with its header, without a directory. */
const local = zipOf([{ name: 'b', bytes: plain }]).subarray(0, 31 + plain.length)
const write = new GgufBytes()
const withTemplate = (key: string) =>
  ggufFile({ keys: [[key, 8, write.string('{{ x.__class__.__base__ }}')]] })
const onnx = (path: string) => `\n\x08location\x12${String.fromCharCode(path.length)}${path}`

describe('a zip', () => {
  test.each<[string, Uint8Array, string]>([
    [
      'with one member inside of another',
      zipOf([
        { name: 'a', bytes: Buffer.concat([Buffer.from('x'), local]) },
        { name: 'b', bytes: plain, offset: 32 },
      ]),
      'zip_overlap',
    ],
    ['packed by bzip2', zipOf([{ name: 'x.pkl', bytes: plain, method: 12 }]), 'unscannable_compression'],
    ['packed by lzma', zipOf([{ name: 'x.pkl', bytes: plain, method: 14 }]), 'unscannable_compression'],
    ['with an absolute path', zipOf([{ name: '/etc/x', bytes: plain }]), 'zip_slip'],
    ['with a drive', zipOf([{ name: 'C:/x', bytes: plain }]), 'zip_slip'],
    ['with a drive and no slash', zipOf([{ name: 'c:x', bytes: plain }]), 'zip_slip'],
    ['with a backslash', zipOf([{ name: 'a\\b', bytes: plain }]), 'zip_slip'],
    ['that climbs by backslashes', zipOf([{ name: 'a\\..\\..\\b', bytes: plain }]), 'zip_slip'],
  ])('%s is suspicious', (_, content, code) => {
    expect(scan(content, 'model.zip')).toMatchObject({ status: 'suspicious', codes: [code] })
  })

  test('without sums is safe', () => {
    const content = zipOf([{ name: 'archive/data.pkl', bytes: plain, crc: 0 }])
    expect(scan(content, 'model.pt')).toMatchObject({ status: 'safe', codes: [] })
  })

  test('with Python code says so and is safe', () => {
    const content = zipOf([{ name: 'code/handler.py', bytes: Buffer.from('import os\n') }])
    expect(scan(content, 'model.mar')).toMatchObject({
      status: 'safe',
      problems: [{ code: 'archive_code', severity: 'info' }],
    })
  })

  test.each([
    ['a pickle', 'archive/data.pkl', plain],
    ['a text', 'notes.txt', Buffer.from('nothing to see\n')],
  ])('of %s behind a password is suspicious, and never unsafe', (_, name, bytes) => {
    const content = zipOf([{ name, bytes: encrypted(bytes), crc: crc32(bytes), flags: 1 }])
    const found = scan(content, 'model.zip')
    expect(found.status).toBe('suspicious')
    expect(found.codes).toContain('zip_encrypted_flag')
  })

  test('behind a password with an import that its headers show is unsafe', () => {
    const content = zipOf([{ name: 'archive/data.pkl', bytes: call('os', 'system'), flags: 1 }])
    expect(scan(content, 'model.pt').status).toBe('unsafe')
  })
})

describe('a file of another format', () => {
  test.each<[string, Uint8Array | string, string, string]>([
    ['lz4', Buffer.from('04224d18', 'hex'), 'x.joblib', 'unscannable_compression'],
    ['lzma', Buffer.from('5d00008000', 'hex'), 'x.joblib', 'unscannable_compression'],
    ['a graph that writes files', '\n\x01a\x12\x09WriteFile', 'saved_model.pb', 'tf_unsafe_op'],
    ['a graph that calls Python', '\n\x01a\x12\x06PyFunc', 'saved_model.pb', 'tf_unsafe_op'],
    ['a graph that calls eager Python', '\n\x01a\x12\x0bEagerPyFunc', 'saved_model.pb', 'tf_unsafe_op'],
    ['weights at an absolute path', onnx('/etc/passwd'), 'x.onnx', 'onnx_external_path'],
    ['weights on a drive', onnx('C:\\weights'), 'x.onnx', 'onnx_external_path'],
    ['weights at an address', onnx('file://weights'), 'x.onnx', 'onnx_external_path'],
    ['a template inside GGUF', withTemplate('tokenizer.chat_template'), 'x.gguf', 'template_suspicious'],
    ['a named template in GGUF', withTemplate('tokenizer.chat_template.a'), 'x.gguf', 'template_suspicious'],
  ])('%s is suspicious', (_, content, path, code) => {
    expect(scan(content, path)).toMatchObject({ status: 'suspicious', codes: [code] })
  })

  test('weights beside an ONNX file are safe', () => {
    expect(scan(onnx('weights.data'), 'x.onnx')).toMatchObject({ status: 'safe', codes: [] })
  })

  test.each([
    ['config.json', '{"auto_map":{"AutoModel":"modeling.X"}}'],
    ['modeling.py', 'import torch\n'],
  ])('%s names custom code, which is worth knowing and safe', (path, content) => {
    expect(scan(content, path)).toMatchObject({
      status: 'safe',
      problems: [{ code: 'custom_code', severity: 'info' }],
    })
  })
})

/** The cipher that zip tools use by default (PKWARE APPNOTE 6.1), with the password `secret`. */
function encrypted(plainBytes: Uint8Array): Buffer {
  const table = (byte: number, crc: number) => ~crc32(Buffer.of(byte), ~crc >>> 0) >>> 0
  const keys = [0x12345678, 0x23456789, 0x34567890] as [number, number, number]
  const update = (byte: number) => {
    keys[0] = table(byte, keys[0])
    keys[1] = (Math.imul((keys[1] + (keys[0] & 0xff)) >>> 0, 134775813) + 1) >>> 0
    keys[2] = table(keys[1] >>> 24, keys[2])
  }
  for (const byte of Buffer.from('secret')) update(byte)
  const header = Buffer.alloc(12, 7)
  header[11] = crc32(plainBytes) >>> 24
  return Buffer.from(
    [...header, ...plainBytes].map((byte) => {
      const low = (keys[2] | 2) & 0xffff
      const found = byte ^ ((Math.imul(low, low ^ 1) >>> 8) & 0xff)
      update(byte)
      return found
    }),
  )
}
