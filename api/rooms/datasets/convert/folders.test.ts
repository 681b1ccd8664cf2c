import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { oneDatabase } from '../../../testing.ts'
import { answerViewer } from '../viewer/answer.ts'
import { ConvertSite } from './testing/convert-site.ts'

oneDatabase('folders of media', (world) => {
  const site = new ConvertSite(world)
  async function given(files: Record<string, string | Buffer>) {
    const made = await site.given(files)
    return { ...made, config: made.dataset.configs[0] ?? expect.fail('no config') }
  }

  test('images in folders have the names of their folders as labels, and stay where they are', async () => {
    const { repo, sha, config } = await given({ 'cat/1.png': 'a', 'dog/2.JPG': 'b', 'dog/3.png': 'c' })
    expect(config).toMatchObject({ builder: 'imagefolder', status: 'ready', is_exact: true })
    expect(config.features).toEqual([
      { name: 'image', type: { _type: 'Image' } },
      { name: 'label', type: { _type: 'ClassLabel', names: ['cat', 'dog'] } },
    ])
    const path = (file: string) => `hf://datasets/${repo.ns}/${repo.name}@${sha}/${file}`
    expect(await site.rowsOf(repo, config.splits[0]?.files[0]?.sha256)).toEqual([
      { image: { bytes: null, path: path('cat/1.png') }, label: 0n },
      { image: { bytes: null, path: path('dog/2.JPG') }, label: 1n },
      { image: { bytes: null, path: path('dog/3.png') }, label: 1n },
    ])
  })

  test('a metadata file names the media of its folder, and gives further columns', async () => {
    const { repo, sha, config } = await given({
      'train/metadata.csv': 'file_name,said,n\n./1.wav,hello,1\nsub//2.wav,"bye, bye",2\n',
      'train/1.wav': 'a',
      'train/sub/2.wav': 'b',
    })
    expect(config.features).toEqual([
      { name: 'audio', type: { _type: 'Audio' } },
      { name: 'said', type: { _type: 'Value', dtype: 'string' } },
      { name: 'n', type: { _type: 'Value', dtype: 'int64' } },
    ])
    const path = (file: string) => `hf://datasets/${repo.ns}/${repo.name}@${sha}/train/${file}`
    expect(await site.rowsOf(repo, config.splits[0]?.files[0]?.sha256)).toEqual([
      { audio: { bytes: null, path: path('1.wav') }, said: 'hello', n: 1n },
      { audio: { bytes: null, path: path('sub/2.wav') }, said: 'bye, bye', n: 2n },
    ])
  })

  test('several names in a row are a list, and a prefix names its column', async () => {
    const { config } = await given({
      'metadata.jsonl': '{"file_names": ["1.png", "2.png"], "mask_file_name": "3.png"}\n',
      '1.png': 'a',
      '2.png': 'b',
      '3.png': 'c',
    })
    expect(config.features).toEqual([
      { name: 'images', type: { _type: 'List', feature: { _type: 'Image' } } },
      { name: 'mask', type: { _type: 'Image' } },
    ])
  })

  test('metadata that is dropped leaves the media alone, as it does in the library', async () => {
    const files = {
      'cat/1.png': 'a',
      'dog/2.png': 'b',
      'metadata.csv': 'file_name,n\ncat/1.png,1\ndog/2.png,2\n',
    }
    const card = (options: string) =>
      `---\nconfigs:\n- config_name: default\n  data_files: "**"\n${options}---\n`
    const names = async (options: string) => {
      const { config } = await given({ ...files, 'README.md': card(options) })
      expect([config.status, config.is_exact, config.warnings]).toEqual(['ready', true, []])
      return config.features.map(({ name }) => name)
    }
    expect(await names('')).toEqual(['image', 'n'])
    expect(await names('  drop_metadata: true\n  drop_labels: true\n')).toEqual(['image'])
    expect(await names('  drop_metadata: true\n  drop_labels: false\n')).toEqual(['image'])
    expect(await names('  drop_metadata: true\n')).toEqual(['image'])
    expect(await names('  drop_metadata: false\n  drop_labels: false\n')).toEqual(['image', 'n'])
  })

  test.each([
    ['videofolder', 'video', 'Video', ['1.mp4', '2.MKV']],
    ['pdffolder', 'pdf', 'Pdf', ['1.pdf', '2.PDF']],
  ] as const)('a %s is read, and its files are linked', async (builder, column, kind, [one, two]) => {
    const { repo, sha, config } = await given({ [`a/${one}`]: 'x', [`b/${two}`]: 'y' })
    expect(config).toMatchObject({ builder, status: 'ready', is_exact: true })
    expect(config.features).toEqual([
      { name: column, type: { _type: kind } },
      { name: 'label', type: { _type: 'ClassLabel', names: ['a', 'b'] } },
    ])
    const ctx = world.ctx(site.owner)
    const place = new URLSearchParams({
      dataset: `${repo.ns}/${repo.name}`,
      config: 'default',
      split: 'train',
    })
    const { body } = await answerViewer(ctx, 'rows', (name) => place.get(name) ?? undefined)
    const { rows } = JSON.parse(body) as { rows: { row: Record<string, { src: string }> }[] }
    expect(rows.map(({ row }) => row[column]?.src)).toEqual(
      [`a/${one}`, `b/${two}`].map(
        (path) => `${ctx.config.server.public_url}/datasets/${repo.ns}/${repo.name}/resolve/${sha}/${path}`,
      ),
    )
  })

  test('a config whose files are not there has failed, and the others have their splits', async () => {
    const { repo } = await given({
      'README.md':
        '---\nconfigs:\n- config_name: good\n  data_files: a.csv\n- config_name: bad\n  data_files: none-*.csv\n---\n',
      'a.csv': 'a,b\n1,2\n',
    })
    const dataset = `${repo.ns}/${repo.name}`
    const ask = async (endpoint: string, more = {}) => {
      const params = new URLSearchParams({ dataset, ...more })
      const { body } = await answerViewer(
        world.ctx(site.owner),
        endpoint,
        (name) => params.get(name) ?? undefined,
      )
      return JSON.parse(body) as unknown
    }
    expect(await ask('splits')).toEqual({
      splits: [{ dataset, config: 'good', split: 'train' }],
      pending: [],
      failed: [
        { dataset, config: 'bad', error: { error: expect.stringContaining('split train') as unknown } },
      ],
    })
    expect(await ask('splits', { config: 'good' })).toEqual({
      splits: [{ dataset, config: 'good', split: 'train' }],
    })
    expect(await ask('info')).toMatchObject({
      pending: [],
      failed: [{ kind: 'config-info', dataset, config: 'bad' }],
    })
  })

  test.each(['../x.png', '/etc/passwd', 'file:///etc/passwd', 'a/../../x.png'])(
    'a metadata file cannot name %s',
    async (path) => {
      const { config } = await given({ 'metadata.csv': `file_name,n\n${path},1\n`, '1.png': 'a' })
      expect(config).toMatchObject({ status: 'failed', problem: { code: 'DatasetGenerationError' } })
      expect(config.problem?.message).toContain('metadata.csv')
    },
  )

  /** A zip file as Python makes one; a number is so many zeros. */
  const zip = (members: Record<string, string | number>) =>
    execFileSync(
      'python3',
      [
        '-c',
        'import io, json, sys, zipfile\nout = io.BytesIO()\nwith zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as f:\n  for n, c in json.load(sys.stdin).items(): f.writestr(n, c if isinstance(c, str) else bytes(c))\nsys.stdout.buffer.write(out.getvalue())',
      ],
      { input: JSON.stringify(members) },
    )

  test('media in zip files become cells with their bytes, behind those beside the files', async () => {
    const { repo, sha, config } = await given({
      '9.wav': 'i',
      'b.zip': zip({ '2.wav': 'b', '1.wav': 'a' }),
      'c.zip': zip({ '3.wav': 'c' }),
    })
    expect(config).toMatchObject({ builder: 'audiofolder', status: 'ready', is_exact: false, warnings: [] })
    expect(config.features).toEqual([{ name: 'audio', type: { _type: 'Audio' } }])
    const cell = (path: string, text: string) => ({ audio: { bytes: Buffer.from(text), path } })
    const [file, ...others] = await site.rowsOf(repo, config.splits[0]?.files[0]?.sha256)
    expect(file).toEqual({
      audio: { bytes: null, path: `hf://datasets/${repo.ns}/${repo.name}@${sha}/9.wav` },
    })
    expect(
      others.map((row) => ({ audio: { ...row['audio'], bytes: Buffer.from(row['audio'].bytes) } })),
    ).toEqual([cell('1.wav', 'a'), cell('2.wav', 'b'), cell('3.wav', 'c')])
  })

  test.each([
    [
      { 'a.png': 'x', 'b.png': 'y' },
      { is_exact: true, warnings: [] },
    ],
    [
      { 'a.png': 'x', 'note.txt': 'y' },
      { is_exact: false, warnings: [] },
    ],
    [
      { 'cat/a.png': 'x', 'dog/b.png': 'y' },
      { is_exact: false, warnings: [expect.stringContaining('drop_labels')] },
    ],
    [
      { 'a.png': 'x', 'metadata.csv': 'file_name\n../a.png\n' },
      { problem: { message: expect.stringContaining('metadata.csv in train.zip') } },
    ],
    [
      { 'a.png': 140 * 1024 ** 2, 'metadata.jsonl': '{"file_names": ["a.png", "a.png"]}' },
      { problem: { message: expect.stringContaining('more than 256 MiB') } },
    ],
    [
      { 'a.png': 'x', 'metadata.csv': 'n\n1\n' },
      { problem: { message: expect.stringContaining('no column with names of files') } },
    ],
    [
      { 'a.png': 'x', 'metadata.csv': 'file_name\na.png\n', 'b/metadata.jsonl': '{"file_name": "c.png"}' },
      { problem: { message: expect.stringContaining('several formats: csv, jsonl') } },
    ],
  ] as const)('a zip file of %j', async (members, wanted) => {
    const { config } = await given({ 'train.zip': zip(members) })
    expect(config).toMatchObject({ builder: 'imagefolder', ...wanted })
  })

  test('metadata in a zip file names the media of its folder there, metadata beside it those of the repo', async () => {
    const { repo, sha, config } = await given({
      'metadata.csv': 'file_name,n,day\n9.png,9,2024-02-29\n',
      '9.png': 'i',
      'a.zip': zip({
        'x/metadata.csv': 'file_name,n,day\nsub/2.png,2,2024-03-01\n./1.png,7,x\nnone.png,3,\n',
        'x/sub/2.png': 'b',
        'x/1.png': 'a',
        '2.png': 'not this one',
      }),
    })
    expect(config).toMatchObject({ builder: 'imagefolder', status: 'ready', is_exact: true })
    expect(config.features.map(({ name }) => name)).toEqual(['image', 'n', 'day'])
    const rows = await site.rowsOf(repo, config.splits[0]?.files[0]?.sha256)
    const shown = rows.map(({ image, ...row }) => ({
      ...row,
      image: image['bytes'] && Buffer.from(image['bytes']).toString(),
      path: image['path'],
    }))
    expect(shown).toEqual([
      { n: 9n, day: '2024-02-29', image: null, path: `hf://datasets/${repo.ns}/${repo.name}@${sha}/9.png` },
      { n: 2n, day: '2024-03-01', image: 'b', path: 'x/sub/2.png' },
      { n: 7n, day: 'x', image: 'a', path: 'x/1.png' },
      { n: 3n, day: null, image: null, path: 'x/none.png' },
    ])
  })

  test('the viewer shows each file by its address in the repo, and follows the default branch', async () => {
    const { repo, sha } = await given({ 'a/1.png': 'a', 'a/2 ä.png': 'b' })
    const rows = async () => {
      const params = new Map([
        ['dataset', `${repo.ns}/${repo.name}`],
        ['config', 'default'],
        ['split', 'train'],
      ])
      const { body } = await answerViewer(world.ctx(site.owner), 'rows', (name) => params.get(name))
      return (JSON.parse(body) as { rows: { row: { image: { src: string } } }[] }).rows.map(
        ({ row }) => row.image.src,
      )
    }
    const base = `${world.ctx().config.server.public_url}/datasets/${repo.ns}/${repo.name}/resolve`
    expect(await rows()).toEqual([`${base}/${sha}/a/1.png`, `${base}/${sha}/a/2%20%C3%A4.png`])
    const later = await site.add(repo, { 'README.md': '# Pictures\n' })
    await site.convert()
    expect((await rows())[0]).toBe(`${base}/${later.commit}/a/1.png`)
  })
})
