/*
 * Which builder of the `datasets` library reads which files: docs/protocols/datasets.md §3. The lists are those of 5.2.0.
 */

/** What reads the files of a dataset, as the library names it, and the options that their suffix brings. */
export interface Builder {
  name: string
  options: Record<string, unknown>
}

const imageSuffixes =
  'blp bmp dib bufr cur pcx dcx dds ps eps fit fits fli flc ftc ftu gbr gif grib png apng jp2 j2k jpc jpf jpx j2c icns ico im iim tif tiff jfif jpe jpg jpeg msp pcd pxr pbm pgm ppm pnm psd bw rgb rgba sgi ras tga icb vda vst webp wmf emf xbm xpm'
const audioSuffixes =
  'mpg aiff au avr caf flac htk svx mat4 mat5 mpc2k ogg paf pvf raw rf64 sd2 sds ircam voc w64 wav nist wavex wve xi mp3 opus 3gp 3g2 asf flv m4v webm f4v wmv wma ogm mxf nut'

/** Suffixes by builder, without the dot. */
const plain: [name: string, suffixes: string, options?: Record<string, unknown>][] = [
  ['csv', 'csv'],
  ['csv', 'tsv', { sep: '\t' }],
  ['json', 'json jsonl ndjson'],
  ['parquet', 'parquet geoparquet gpq'],
  ['arrow', 'arrow'],
  ['text', 'txt'],
  ['conll', 'conll'],
  ['conll', 'conllu', { comment_prefix: '#' }],
  ['webdataset', 'tar'],
  ['xml', 'xml'],
  ['hdf5', 'hdf5 h5'],
  ['eval', 'eval'],
  ['harbor', 'toml md'],
  ['lance', 'lance'],
  ['tsfile', 'tsfile'],
  ['vortex', 'vortex'],
  ['fasta', 'fa fasta fna ffn faa frn afa'],
  ['genbank', 'gb gbk genbank'],
  ['fastq', 'fq fastq'],
  ['mmcif', 'cif mmcif'],
]

/** Media, whose suffixes are also known in upper case. */
const inAnyCase: [name: string, suffixes: string][] = [
  ['pdb', 'pdb ent'],
  ['imagefolder', imageSuffixes],
  ['audiofolder', audioSuffixes],
  ['videofolder', 'mpeg avi mp4 mov mkv'],
  ['meshfolder', 'glb gltf ply stl'],
  ['pdffolder', 'pdf'],
  ['niftifolder', 'nii'],
]

const bySuffix = new Map<string, Builder>([
  ...plain.flatMap(([name, suffixes, options = {}]) =>
    suffixes.split(' ').map((suffix) => [suffix, { name, options }] as const),
  ),
  ...inAnyCase.flatMap(([name, suffixes]) =>
    suffixes
      .split(' ')
      .flatMap((suffix) =>
        [suffix, suffix.toUpperCase()].map((each) => [each, { name, options: {} }] as const),
      ),
  ),
])

/** Suffixes that come with files of a builder and are no data by themselves. */
const metadataSuffixes: Record<string, string[]> = { lance: ['idx', 'txn', 'manifest'] }

const folderMetadata = ['metadata.csv', 'metadata.jsonl', 'metadata.parquet']

/** Names of files that describe the data of a builder. */
const metadataNames: Record<string, string[]> = {
  harbor: ['task.toml', 'instruction.md'],
  lance: ['latest_version_hint.json'],
  mmcif: folderMetadata,
  ...Object.fromEntries(inAnyCase.map(([name]) => [name, folderMetadata])),
}

const allMetadataNames = new Set(Object.values(metadataNames).flat())
const allowedSuffixes = new Set([...bySuffix.keys(), 'zip', ...Object.values(metadataSuffixes).flat()])

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)
const suffixesOf = (path: string) => nameOf(path).split('.').slice(1)

/** Whether a file could be data: one of the words behind the dots of its name is a known suffix. */
export const isAllowed = (path: string): boolean =>
  suffixesOf(path).some((suffix) => allowedSuffixes.has(suffix))

const isZip = (path: string) => path.endsWith('.zip')

/** Of equally frequent suffixes the later one here wins, and before all of these the greater name. */
const favourites = ['csv', 'json', 'jsonl', 'arrow', 'vortex', 'lance', 'parquet']

interface Counted {
  suffix: string
  isMetadata: boolean
  count: number
}

/** The builder of the most frequent suffix; `zip` where that is one, whose members decide then. */
export function builderOf(paths: readonly string[]): Builder | 'zip' | undefined {
  const counts = new Map<string, Counted>()
  for (const path of paths) {
    const isMetadata = allMetadataNames.has(nameOf(path))
    for (const suffix of suffixesOf(path).map((each) => each.toLowerCase())) {
      const key = `${suffix} ${isMetadata}`
      const counted = counts.get(key) ?? { suffix, isMetadata, count: 0 }
      counted.count++
      counts.set(key, counted)
    }
  }
  for (const { suffix } of [...counts.values()].sort(mostFrequentFirst)) {
    const builder = bySuffix.get(suffix)
    if (builder) return builder
    if (suffix === 'zip') return 'zip'
  }
  return undefined
}

const mostFrequentFirst = (a: Counted, b: Counted): number =>
  Number(a.isMetadata) - Number(b.isMetadata) ||
  b.count - a.count ||
  favourites.indexOf(b.suffix) - favourites.indexOf(a.suffix) ||
  (a.suffix < b.suffix ? 1 : -1)

/** The builder of what lies in zip files. */
export function builderOfMembers(names: readonly string[]): Builder | undefined {
  const counts = new Map<string, number>()
  for (const suffix of names.flatMap(suffixesOf).map((each) => each.toLowerCase()))
    counts.set(suffix, (counts.get(suffix) ?? 0) + 1)
  // The first of the most frequent ones, as Python's Counter gives it.
  const [first] = [...counts].sort(([, a], [, b]) => b - a)
  return first && bySuffix.get(first[0])
}

/** Whether a builder takes a file: by one of its suffixes, as the last or before others, or as its metadata. */
export function takes(builder: string, path: string): boolean {
  const own = [...bySuffix].filter(([, { name }]) => name === builder).map(([suffix]) => suffix)
  const suffixes = new Set([...own, ...(metadataSuffixes[builder] ?? []), 'zip'])
  if ((metadataNames[builder] ?? []).some((name) => path.endsWith(name))) return true
  // The library's pattern is `.*(suffixes)(\..+)?$` on the whole path.
  return path
    .split('.')
    .slice(1)
    .some((part) => suffixes.has(part))
}

/** Whether a path is that of media of a folder builder: by its last suffix, or the one before it. */
export function isMediaOf(builder: string, path: string): boolean {
  const last = suffixesOf(path).slice(-2)
  return last.some((suffix) => bySuffix.get(suffix.toLowerCase())?.name === builder)
}

/** Sounds that the library takes for ones in archives; of the others in `audiofolder` most are videos. */
const notInArchives = new Set('mpg 3gp 3g2 asf flv m4v webm f4v wmv wma ogm mxf nut'.split(' '))
const mediaKinds: Record<string, 'Image' | 'Audio' | 'Video'> = {
  imagefolder: 'Image',
  audiofolder: 'Audio',
  videofolder: 'Video',
}

/** What the members of an archive with a suffix hold, if media. */
export function mediaKindOf(suffix: string): 'Image' | 'Audio' | 'Video' | undefined {
  const builder = notInArchives.has(suffix) ? undefined : bySuffix.get(suffix)
  return builder && mediaKinds[builder.name]
}

/** Whether a path is that of a table which describes media of a folder. */
export const isFolderMetadata = (path: string): boolean => folderMetadata.includes(nameOf(path))

export { isZip }
