import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { oneDatabase } from '../../../testing.ts'
import { ConvertSite } from './testing/convert-site.ts'

oneDatabase('formats of datasets', (world) => {
  const site = new ConvertSite(world)

  test.each([
    [
      'configs:\n- config_name: a\n  data_files: a.csv\nconfigs:\n- config_name: b\n  data_files: a.csv\n',
      'Line 5: Map keys must be unique',
    ],
    ['a: [\n', 'The metadata in README.md cannot be read. '],
    ['- a\n', 'must be a map'],
  ])('a card of %j gives no configs by guess, and says why', async (yaml, message) => {
    const { dataset } = await site.given({ 'README.md': `---\n${yaml}---\n`, 'a.csv': 'a,b\n1,2\n' })
    expect(dataset).toMatchObject({
      status: 'failed',
      configs: [],
      problem: { code: 'ConfigNamesError', message: expect.stringContaining(message) },
    })
  })

  test('a card whose block has no end has no metadata', async () => {
    const { dataset } = await site.given({ 'README.md': '---\nviewer: false\n', 'a.csv': 'a,b\n1,2\n' })
    expect(dataset).toMatchObject({ status: 'ready', configs: [{ name: 'default' }] })
  })

  /** A zip file as Python makes one. */
  const zip = (members: Record<string, string>) =>
    execFileSync(
      'python3',
      [
        '-c',
        'import io, json, sys, zipfile\nout = io.BytesIO()\nwith zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as f:\n  for n, c in json.load(sys.stdin).items(): f.writestr(n, c)\nsys.stdout.buffer.write(out.getvalue())',
      ],
      { input: JSON.stringify(members) },
    )

  test('zip files of data are read member by member, in the order of the library', async () => {
    const { repo, dataset } = await site.given({
      'train.zip': zip({
        'z.csv': 'a,b\n1,2\n',
        'sub/c.csv': 'a,b\n3,4\n',
        '__MACOSX/q.csv': 'junk',
        '.hidden.csv': 'junk',
        'empty/': '',
        'a.csv': 'a,b\n5,6\n',
      }),
      'test.csv.zip': zip({ 'x.csv': 'a,b\n7,8\n' }),
    })
    expect(dataset).toMatchObject({ status: 'ready', problem: null })
    const [config] = dataset.configs
    expect(config).toMatchObject({ builder: 'csv', is_exact: true })
    const rows = []
    for (const { files } of config?.splits ?? []) rows.push(await site.rowsOf(repo, files[0]?.sha256))
    const row = (a: bigint, b: bigint) => ({ a, b })
    expect(rows).toEqual([[row(5n, 6n), row(1n, 2n), row(3n, 4n)], [row(7n, 8n)]])
  })

  test('zip files that are damaged, packed to hurt or hold what is packed once more say why', async () => {
    const whole = zip({ 'x.csv': 'one\ntwo\n'.repeat(1000) })
    const damaged = Buffer.from(whole)
    damaged[45] = (damaged[45] ?? 0) ^ 0xff
    for (const [content, reason] of [
      [whole.subarray(0, -30), 'no zip file'],
      [damaged, 'x.csv in data.csv.zip cannot be decompressed'],
      [zip({ 'x.csv.gz': 'x' }), 'x.csv.gz in data.csv.zip cannot be decompressed'],
      [zip({ 'x.csv.lz4': 'x' }), 'compressed as LZ4'],
      [Buffer.from('one\n'), 'no zip file'],
    ] as const) {
      const { dataset } = await site.given({ 'data.csv.zip': content })
      expect(dataset.status).toBe('failed')
      expect(dataset.configs[0]?.problem?.message).toContain(reason)
    }
    const lines = await site.given({ 'data.txt.zip': zip({ 'x.txt.gz': 'x' }) })
    expect(lines.dataset.configs[0]?.problem?.message).toContain('compressed once more')
    const unknown = await site.given({ 'data.zip': 'no archive' })
    expect(unknown.dataset.problem?.code).toBe('DataFilesNotFoundError')
  })

  test.each([
    ['line', ['a', 'b', '', 'c']],
    ['paragraph', ['a\nb', 'c\n']],
    ['document', ['a\nb\n\nc\n']],
  ])('text is read by %s', async (unit, texts) => {
    const card = `---\nconfigs:\n- config_name: default\n  data_files: x.txt\n  sample_by: ${unit}\n---\n`
    const { repo, dataset } = await site.given({ 'README.md': card, 'x.txt': 'a\r\nb\n\nc\n' })
    expect(dataset.configs[0]).toMatchObject({ is_exact: true, problem: null })
    const [file] = dataset.configs[0]?.splits[0]?.files ?? []
    expect((await site.rowsOf(repo, file?.sha256)).map(({ text }) => text)).toEqual(texts)
  })

  test('lines of text keep their ends where the card says so', async () => {
    const card =
      '---\nconfigs:\n- config_name: default\n  data_files: "*.txt"\n  keep_linebreaks: true\n---\n'
    const { repo, dataset } = await site.given({
      'README.md': card,
      '1.txt': 'a\r\n\nb\n',
      '2.txt': 'c\n',
      '3.txt': 'd\ne',
      '4.txt': '\n',
      '5.txt': 'f',
    })
    expect(dataset.configs[0]).toMatchObject({ is_exact: true, problem: null, warnings: [] })
    const [file] = dataset.configs[0]?.splits[0]?.files ?? []
    const texts = (await site.rowsOf(repo, file?.sha256)).map(({ text }) => text)
    expect(texts).toEqual(['a\n', '\n', 'b\n', 'c\n', 'd\n', 'e', '\n', 'f'])
  })

  test('many lines without an end behind the last one keep their ends and their order', async () => {
    const lines = Array.from({ length: 30_000 }, (_, i) => `line ${i}`)
    const card = '---\nconfigs:\n- config_name: default\n  data_files: x.txt\n  keep_linebreaks: true\n---\n'
    const { repo, dataset } = await site.given({ 'README.md': card, 'x.txt': lines.join('\n') })
    const [file] = dataset.configs[0]?.splits[0]?.files ?? []
    const texts = (await site.rowsOf(repo, file?.sha256)).map(({ text }) => text)
    expect(texts).toHaveLength(lines.length)
    expect(texts.join('')).toBe(lines.join('\n'))
  })

  test('rows under a key of one JSON object are read where the card names the key', async () => {
    const card = '---\nconfigs:\n- config_name: default\n  data_files: x.json\n  field: a/b\n---\n'
    const { repo, dataset } = await site.given({
      'README.md': card,
      'x.json': '{"version": 1,\n "a/b": [{"n": 9007199254740993}, {"n": 2}]}',
    })
    const [file] = dataset.configs[0]?.splits[0]?.files ?? []
    expect(await site.rowsOf(repo, file?.sha256)).toEqual([{ n: 9007199254740993n }, { n: 2n }])
    const wrong = await site.given({ 'README.md': card, 'x.json': '{"b": [{"n": 1}]}' })
    expect(wrong.dataset.configs[0]?.problem?.message).toContain('"a/b"')
  })

  test('an XML file is a row', async () => {
    const { repo, dataset } = await site.given({ 'a.xml': '<a>\r\n</a>', 'b.xml': '<b/>' })
    const [file] = dataset.configs[0]?.splits[0]?.files ?? []
    expect(await site.rowsOf(repo, file?.sha256)).toEqual([{ xml: '<a>\n</a>' }, { xml: '<b/>' }])
  })
})
