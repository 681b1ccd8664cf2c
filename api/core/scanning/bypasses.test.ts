import { deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { inMemory } from '../parsers/index.ts'
import { scanBytes } from './scan-bytes.ts'
import { bytes, call, oldCall, pickle, text } from './testing/pickles.ts'
import { tarOf, zipOf } from './testing/zips.ts'

const scan = (content: Uint8Array, path = 'model.pkl') => scanBytes({ path }, inMemory(content))
const status = (content: Uint8Array, path?: string) => scan(content, path).status
const codes = (content: Uint8Array, path?: string) => scan(content, path).problems.map(({ code }) => code)
const evil = call('os', 'system')
const posix = text('posix')
const system = text('system')
const argument = pickle(text('id'), '\x85R.')

const MAGIC = 0x1950a86a20f9469cfc6cn
/** As `torch.save` wrote before 1.6: magic, version, system, object, keys. */
const torchFile = (magic = pickle(`L${MAGIC}L\n.`), version = pickle('\x80\x02M\xe9\x03.')) =>
  Buffer.concat([magic, version, ...[0, 1, 2].map(() => pickle('\x80\x02}.'))])

/** Every way past a scanner that advisories name (indexing.md §3). */
describe('a pickle is unsafe', () => {
  test.each<[string, Uint8Array]>([
    ['by STACK_GLOBAL', evil],
    ['by GLOBAL of protocol 0', oldCall('posix', 'system')],
    ['by GLOBAL with Windows line ends', pickle("cposix\nsystem\n(S'id'\r\ntR.")],
    ['by INST', pickle("(S'id'\niposix\nsystem\n.")],
    ['by OBJ', pickle("(cposix\nsystem\nS'id'\no.")],
    ['by NEWOBJ', pickle('\x80\x02cposix\nPopen\n', text('id'), '\x85\x81.')],
    ['by NEWOBJ_EX', pickle('\x80\x04', text('subprocess'), text('Popen'), '\x93)}\x92.')],
    [
      'by names that are copied in the memo',
      pickle(
        '\x80\x04',
        posix,
        'q\x00',
        text('x'),
        'q\x010h\x00q\x05',
        '0',
        text('safe'),
        '0h\x05',
        system,
        '\x93',
        argument,
      ),
    ],
    [
      'by names of the memo under one number',
      pickle('\x80\x04', text('collections'), 'q\x000', posix, 'q\x000h\x00', system, '\x93', argument),
    ],
    [
      'by a memo at 2^31',
      pickle('\x80\x04', posix, 'r\xff\xff\xff\xff0j\xff\xff\xff\xff', system, '\x93', argument),
    ],
    [
      'by a memo of protocol 0 read by protocol 1',
      pickle('\x80\x04', posix, 'p7\n0h\x07', system, '\x93', argument),
    ],
    ['by MEMOIZE', pickle('\x80\x04', posix, '\x940h\x00', system, '\x93', argument)],
    ['by a name that is no text', pickle('\x80\x04K\x01K\x02\x93', argument)],
    ['by a memo that is missing', pickle('\x80\x04h\x09', system, '\x93', argument)],
    ['by a walk over attributes', call('logging', 'os.getcwd')],
    ['by a walk over attributes of a plain module', call('transformers', 'utils.os.system')],
    ['by a submodule', call('asyncio.unix_events', 'X')],
    ['by a name of Python 2', oldCall('__builtin__', 'eval')],
    ['by a module of Python 2', oldCall('commands', 'getoutput')],
    ['by cut bytes after the call', evil.subarray(0, evil.length - 1)],
    ['by a bad text after the call', pickle(evil.subarray(0, -1), '\x8c\x02\xff\xfe\xff')],
    ['by an unknown opcode after the call', pickle(evil.subarray(0, -1), '\xf0')],
    ['by the second of two', pickle('\x80\x04N.', evil)],
    ['by the second after a plain text of protocol 0', pickle('I1\n.', oldCall('posix', 'system'))],
    ['by a pickle in bytes', pickle('\x80\x04', bytes(evil), '.')],
    ['by a pickle in base64', pickle('\x80\x04', text(evil.toString('base64')), '.')],
    [
      'by a pickle in a text of protocol 2',
      pickle('\x80\x02X', Buffer.from([evil.length + 2, 0, 0, 0]), Buffer.from(evil.toString('latin1')), '.'),
    ],
    ['by an extension', pickle('\x80\x02\x82\x01)R.')],
    ['by escapes in a name', pickle("S'posix'\nV\\u0073ystem\n\x93", "(S'id'\ntR.")],
    ['by a frame that is too long', pickle('\x80\x04\x95\xff\xff\xff\xff\0\0\0\0', evil.subarray(2))],
    ['behind a fault, where another reader gets', pickle('\x80\x04\xf1', evil.subarray(2))],
    ['by the loader of tensors with what is no bytes', call('torch.storage', '_load_from_bytes')],
    [
      'by the loader of tensors with a pickle',
      pickle('\x80\x04', text('torch.storage'), text('_load_from_bytes'), '\x93', bytes(evil), '\x85R.'),
    ],
  ])('%s', (_, content) => {
    expect(status(content)).toBe('unsafe')
  })

  test.each([
    ['operator', 'attrgetter'],
    ['operator', 'methodcaller'],
    ['_operator', 'methodcaller'],
    ['functools', 'partial'],
    ['pydoc', 'locate'],
    ['pkgutil', 'resolve_name'],
    ['types', 'CodeType'],
    ['cloudpickle.cloudpickle', '_make_function'],
    ['torch.utils._config_module', 'ConfigModule.load_config'],
    ['torch.hub', 'load'],
    ['numpy.testing._private.utils', 'runstring'],
    ['numpy.f2py.crackfortran', 'getlincoef'],
    ['uuid', '_get_command_stdout'],
    ['imaplib', 'IMAP4_stream'],
    ['_osx_support', '_read_output'],
    ['ssl', 'get_server_certificate'],
    ['urllib.request', 'urlopen'],
    ['logging', 'FileHandler'],
    ['_io', 'FileIO'],
    ['io', 'FileIO'],
    ['builtins', 'exec'],
    ['builtins', '__import__'],
    ['builtins', 'getattr'],
    ['importlib', 'import_module'],
    ['ctypes', 'CDLL'],
    ['marshal', 'loads'],
    ['code', 'InteractiveInterpreter'],
    ['test.support.script_helper', 'assert_python_ok'],
    ['torch', 'load'],
    ['joblib', 'load'],
    ['pandas', 'read_pickle'],
    ['picklescan.scanner', 'scan_url'],
  ])('by %s.%s', (module, name) => {
    expect(status(call(module, name))).toBe('unsafe')
  })
})

describe('a pickle is suspicious', () => {
  test.each<[string, Uint8Array, string]>([
    ['that sets attributes of a class', pickle('\x80\x02ccollections\nCounter\n}b.'), 'pickle_build'],
    [
      'that calls what it has computed',
      pickle('\x80\x02ccollections\nCounter\n)R)R.'),
      'pickle_computed_call',
    ],
    ['that asks for an id', pickle('Pthing\n.'), 'pickle_persistent_id'],
    [
      'with the magic of torch that a call computes',
      torchFile(pickle("\x80\x02cbuiltins\nint\n(S'119547037146038801333356'\ntR.")),
      'pickle_computed_magic',
    ],
    [
      'with a decimal for the magic of torch, and a version that is computed',
      torchFile(
        pickle("cdecimal\nDecimal\n(S'119547037146038801333356'\ntR."),
        pickle("cbuiltins\nint\n(S'1001'\ntR."),
      ),
      'pickle_computed_magic',
    ],
    [
      'with an integer that is rebuilt for the magic of torch',
      torchFile(pickle('ccopyreg\n_reconstructor\n(cbuiltins\nint\ncbuiltins\nint\n', `L${MAGIC}L\ntR.`)),
      'pickle_computed_magic',
    ],
    ['with an opcode that is unknown', pickle('\x80\x04N\xf1.'), 'pickle_bad_opcode'],
    ['with imports behind a fault', pickle('\x80\x04N\xf1', 'csklearn.svm\nSVC\n.'), 'pickle_unparsed_tail'],
    ['that has no end', pickle('\x80\x04N'), 'pickle_truncated'],
    [
      'that repeats itself without end',
      pickle(
        '\x80\x04]',
        Buffer.concat(Array.from({ length: 30 }, () => pickle('q\x00](h\x00h\x00h\x00h\x00e'))),
        '.',
      ),
      'pickle_expansion',
    ],
    ['that doubles its last value', pickle('\x80\x04N', '2'.repeat(200), '.'), 'pickle_expansion'],
    [
      'with a nested pickle that is too deep',
      [1, 2, 3, 4].reduce((inner) => pickle('\x80\x04', bytes(inner), '.'), pickle('\x80\x04N.')),
      'scan_incomplete',
    ],
  ])('%s', (_, content, code) => {
    expect(codes(content)).toContain(code)
    expect(status(content)).toBe('suspicious')
  })

  test('that imports what is on no list, which the strict setting calls unsafe', () => {
    const content = call('sklearn.svm', 'SVC')
    expect(status(content)).toBe('suspicious')
  })
})

describe('an archive is unsafe or suspicious', () => {
  const member = { name: 'archive/data.pkl', bytes: evil }

  test.each<[string, Uint8Array, string]>([
    ['with flag 0x1', zipOf([{ ...member, flags: 1 }]), 'zip_encrypted_flag'],
    ['with flag 0x20', zipOf([{ ...member, flags: 0x20 }]), 'zip_encrypted_flag'],
    ['with flag 0x40', zipOf([{ ...member, flags: 0x40 }]), 'zip_encrypted_flag'],
    ['with a wrong sum', zipOf([{ ...member, crc: 7 }]), 'zip_crc_mismatch'],
    [
      'with another name in the local header',
      zipOf([{ ...member, localName: 'archive/other.pkl' }]),
      'zip_local_header_mismatch',
    ],
    [
      'with a name twice',
      zipOf([{ name: member.name, bytes: pickle('\x80\x04N.') }, member]),
      'zip_duplicate_name',
    ],
    ['behind other bytes', zipOf([member], Buffer.alloc(99, 'x')), 'zip_prefix_data'],
    ['before other bytes', Buffer.concat([zipOf([member]), Buffer.alloc(99)]), 'zip_trailing_data'],
    ['that is also a pickle', zipOf([{ name: 'x', bytes: pickle('\x80\x04N.') }], evil), 'zip_prefix_data'],
    ['that is also a pickle, with offsets that say so', zipOf([member], pickle('\x80\x04N.'), false), ''],
    ['with a member of an odd name', zipOf([{ name: 'archive/data.txt', bytes: evil }]), ''],
    ['with a member that is packed', zipOf([{ ...member, isPacked: true }]), ''],
    ['in an archive', zipOf([{ name: 'inner.zip', bytes: zipOf([member]) }]), ''],
    ['with a pickle for a storage', zipOf([{ name: 'archive/data/0', bytes: evil }]), ''],
  ])('%s', (_, content, code) => {
    const { status, problems } = scan(content, 'model.pt')
    expect(status).toBe('unsafe')
    if (code !== '') expect(problems.map((problem) => problem.code)).toContain(code)
  })

  test.each<[string, Uint8Array, string]>([
    ['with a path to outside', zipOf([{ name: '../x', bytes: Buffer.from('x') }]), 'zip_slip'],
    ['with a link', zipOf([{ name: 'x', bytes: Buffer.from('/etc'), mode: 0o120777 }]), 'zip_slip'],
    [
      'with a bomb',
      zipOf([{ name: 'x.pkl', bytes: Buffer.alloc(9), isPacked: true, sizeBytes: 0xfffffff0 }]),
      'zip_bomb',
    ],
    ['without a directory', Buffer.from('PK\x03\x04 and no more'), 'zip_damaged'],
  ])('%s', (_, content, code) => {
    expect(codes(content, 'model.zip')).toContain(code)
    expect(status(content, 'model.zip')).toBe('suspicious')
  })

  test('of archives in archives ends', () => {
    const deep = Array.from({ length: 9 }).reduce<Buffer>(
      (inner) => zipOf([{ name: 'x.zip', bytes: inner }]),
      evil,
    )
    expect(codes(deep, 'x.zip')).toContain('scan_incomplete')
  })

  test.each<[string, Uint8Array, string]>([
    ['a tar with a pickle', tarOf([{ name: 'x.ckpt', bytes: evil }]), 'model.nemo'],
    ['a tar in gzip', gzipSync(tarOf([{ name: 'x.ckpt', bytes: evil }])), 'model.nemo'],
    ['a pickle in gzip', gzipSync(evil), 'model.pkl.gz'],
    ['a pickle in zlib', deflateSync(evil), 'model.joblib'],
    ['a pickle under a harmless name', evil, 'notes.txt'],
    [
      'an array of objects',
      Buffer.concat([Buffer.from("\x93NUMPY\x01\x00\x14\x00{'descr': '|O', } \n", 'latin1'), evil]),
      'x.npy',
    ],
    [
      'a Keras model with code',
      zipOf([{ name: 'config.json', bytes: Buffer.from('{"layers":[{"class_name":"Lambda"}]}') }]),
      'x.keras',
    ],
    ['an HDF5 model with code', Buffer.from('\x89HDF\r\n\x1a\n {"class_name": "Lambda"}', 'latin1'), 'x.h5'],
  ])('%s', (_, content, path) => {
    expect(status(content, path)).toBe('unsafe')
  })

  test.each<[string, string | Uint8Array, string, string]>([
    [
      'a tar that leads outside',
      tarOf([{ name: '/etc/x', bytes: evil.subarray(0, 2) }]),
      'x.tar',
      'tar_slip',
    ],
    ['a link that leads outside', tarOf([{ name: 'x', type: '2', link: '../../etc' }]), 'x.tar', 'tar_slip'],
    ['bzip2', 'BZh91AY', 'x.joblib', 'unscannable_compression'],
    ['xz', Buffer.from('fd377a585a00', 'hex'), 'x.joblib', 'unscannable_compression'],
    ['zstd', Buffer.from('28b52ffd00', 'hex'), 'x.joblib', 'unscannable_compression'],
    ['7z', Buffer.from('377abcaf271c', 'hex'), 'x.7z', 'unscannable_archive'],
    [
      'a class of another package',
      zipOf([{ name: 'config.json', bytes: Buffer.from('{"module":"evil"}') }]),
      'x.keras',
      'keras_custom_module',
    ],
    ['a graph that reads files', '\n\x01a\x12\x08ReadFile', 'saved_model.pb', 'tf_unsafe_op'],
    ['weights elsewhere', '\n\x08location\x12\x07../../x', 'x.onnx', 'onnx_external_path'],
    [
      'a target of hydra',
      tarOf([{ name: 'model_config.yaml', bytes: Buffer.from('a:\n  _target_: os.system\n') }]),
      'x.nemo',
      'hydra_target',
    ],
    ['a tag of Python', 'a: !!python/object/apply:os.system [id]', 'x.yaml', 'yaml_python_tag'],
    ['a template that escapes', '{{ x.__class__ }}', 'chat_template.jinja', 'template_suspicious'],
    [
      'a template that escapes in settings',
      JSON.stringify({ chat_template: [{ name: 'x', template: '{{ a|attr("b") }}' }] }),
      'tokenizer_config.json',
      'template_suspicious',
    ],
    ['safetensors with a hole', '\x02\0\0\0\0\0\0\0{}xx', 'x.safetensors', 'st_trailing_bytes'],
    ['GGUF that is cut', 'GGUF\x03\0\0\0', 'x.gguf', 'gguf_truncated_header'],
  ])('%s', (_, content, path, code) => {
    const found = scan(typeof content === 'string' ? Buffer.from(content, 'latin1') : content, path)
    expect(found.problems.map((problem) => problem.code)).toContain(code)
    expect(found.status).toBe('suspicious')
  })
})

describe('a file is safe', () => {
  test.each<[string, Uint8Array, string]>([
    [
      'that is a picture under the name of a model',
      Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'),
      'x.pt',
    ],
    ['that is a list of words', Buffer.from('cat\ndog\nice\nfox\n'), 'x.dat'],
    ['that torch wrote of old', torchFile(), 'x.pt'],
    ['that is empty', Buffer.alloc(0), 'x.pkl'],
    ['that is a pickle of numbers', pickle('\x80\x04(K\x01K\x02l.'), 'x.pkl'],
    [
      'with tensors in bytes',
      pickle(
        '\x80\x04',
        text('torch.storage'),
        text('_load_from_bytes'),
        '\x93',
        bytes(pickle('\x80\x04N.')),
        '\x85R.',
      ),
      'x.pkl',
    ],
    [
      'whose storage begins like a pickle by chance',
      zipOf([{ name: 'a/data/0', bytes: Buffer.from('8004ffffffff00000000', 'hex') }]),
      'x.pt',
    ],
    ['that names code of its own', Buffer.from('{"auto_map":{}}'), 'config.json'],
  ])('%s', (_, content, path) => {
    expect(scan(content, path)).toMatchObject({ status: 'safe' })
  })

  test('that no reader takes for anything is not looked into', () => {
    expect(scan(Buffer.from('# Title'), 'README.md')).toMatchObject({
      isChecked: false,
      status: 'safe',
      problems: [],
    })
  })
})

test.each([
  ['inside', -15, 'unsafe', ['pickle_bad_opcode', 'pickle_unparsed_tail']],
  ['beyond', 0, 'suspicious', ['pickle_bad_opcode']],
])('an import %s of the 64 MiB behind a fault counts so', (_, from, verdict, problems) => {
  const fault = pickle('\x80\x04\xf1')
  const rest = Buffer.alloc(64 * 1024 * 1024 + 32)
  rest.write('cposix\nsystem\n', 64 * 1024 * 1024 + from)
  const found = scan(Buffer.concat([fault, rest]))
  expect(found.status).toBe(verdict)
  expect(found.problems.map(({ code }) => code)).toEqual(problems)
})

test('a name that is dangerous at its far end is unsafe, also behind one that begins like it', () => {
  const long = 'a'.repeat(300)
  const content = pickle(`cx\n${long}\n0cx\n${long}.os.system\n(S'id'\ntR.`)
  expect(status(content)).toBe('unsafe')
})

test('imports come once, the worst first, with what they mean', () => {
  const content = pickle(
    '\x80\x04',
    text('collections'),
    text('OrderedDict'),
    '\x93',
    text('os'),
    text('system'),
    '\x93',
    text('os'),
    text('system'),
    '\x93.',
  )
  expect(scan(content).imports).toEqual([
    { module: 'os', name: 'system', safety: 'dangerous', meaning: 'runs commands and changes files' },
    { module: 'collections', name: 'OrderedDict', safety: 'innocuous', meaning: 'holds containers' },
  ])
})

test('a torch archive of 100 MB is judged by reading little of it', () => {
  const tensors = Array.from({ length: 40 }, (_, i) => ({
    name: `archive/data/${i}`,
    bytes: Buffer.alloc(2_500_000, i + 1),
  }))
  const archive = zipOf([{ name: 'archive/data.pkl', bytes: pickle('\x80\x04N.') }, ...tensors])
  expect(scan(archive, 'model.pt').readBytes).toBeLessThan(300_000)
})
