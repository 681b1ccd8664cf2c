import type { RepoType } from '../../../../shared/vocabulary.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { commit, CommitBuilder } from '../../../core/git/index.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { authorOf } from '../author.ts'

/** A file of the first commit. */
export interface FirstFile {
  path: string
  bytes: Buffer
}

/** What a repo begins with. */
export interface FirstCommit {
  repo: { id: string; type: RepoType }
  branch: string
  files: FirstFile[]
  /** Makes the repo visible, as one with these files, in the transaction of the commit. */
  reveal(tx: Tx): Promise<void>
}

/** Makes the commit a repo begins with. */
export type WriteFirst = (ctx: Ctx, first: FirstCommit) => Promise<void>

export const FIRST_TITLE = 'initial commit'

// hub-wire.md §6.1: weights, archives, tables, arrays, pickles; for datasets also media.
const largePatterns = [
  '*.7z',
  '*.arrow',
  '*.avro',
  '*.bin',
  '*.bz2',
  '*.ckpt',
  '*.ftz',
  '*.gguf',
  '*.gz',
  '*.h5',
  '*.joblib',
  '*.keras',
  '*.lfs.*',
  '*.lz4',
  '*.mlmodel',
  '*.model',
  '*.msgpack',
  '*.npy',
  '*.npz',
  '*.onnx',
  '*.ot',
  '*.parquet',
  '*.pb',
  '*.pickle',
  '*.pkl',
  '*.pt',
  '*.pth',
  '*.rar',
  '*.safetensors',
  'saved_model/**/*',
  '*.tar',
  '*.tar.*',
  '*.tflite',
  '*.tgz',
  '*.wasm',
  '*.xz',
  '*.zip',
  '*.zst',
  '*tfevents*',
]
const mediaPatterns = [
  [
    '# Audio',
    '*.aac',
    '*.aiff',
    '*.flac',
    '*.m4a',
    '*.mp3',
    '*.ogg',
    '*.opus',
    '*.pcm',
    '*.sam',
    '*.raw',
    '*.wav',
  ],
  ['# Images', '*.bmp', '*.gif', '*.jpeg', '*.jpg', '*.png', '*.tif', '*.tiff', '*.webp'],
  ['# Video', '*.avi', '*.mkv', '*.mov', '*.mp4', '*.webm'],
].flat()

/** `.gitattributes` of a new repo: which files are kept as large objects. */
export function gitattributes(type: RepoType): string {
  const patterns = type === 'dataset' ? [...largePatterns, '*.lz4', '*.mds', ...mediaPatterns] : largePatterns
  return [...new Set(patterns)]
    .map((pattern) => (pattern.startsWith('#') ? pattern : `${pattern} filter=lfs diff=lfs merge=lfs -text`))
    .map((line) => `${line}\n`)
    .join('')
}

/** A card that says the licence and, for people who create a repo by hand, its name. */
export function readme(name: string, licence: string | undefined, withTitle: boolean): string {
  const front = licence === undefined ? '' : `---\nlicense: ${licence}\n---\n`
  return withTitle ? `${front}${front && '\n'}# ${name}\n` : front
}

/** Writes the commit every repo begins with, in its creator's name. */
export const writeFirstCommit: WriteFirst = async (ctx, { repo, branch, files, reveal }) => {
  const builder = new CommitBuilder(ctx.git, repo.id)
  try {
    for (const { path, bytes } of files) {
      const oid = await builder.putBytes(path, bytes)
      builder.describe(oid, { sizeBytes: bytes.length, content: bytes })
    }
    const result = await commit(ctx.git, builder, {
      ref: `refs/heads/${branch}`,
      author: await authorOf(ctx),
      ...(ctx.actor.kind === 'user' ? { userId: ctx.actor.id } : {}),
      message: FIRST_TITLE,
      via: 'api',
      alongside: reveal,
    })
    if ('faults' in result)
      throw new Problem('validation-failed', { detail: 'The files cannot lie in one folder tree.' })
  } finally {
    await builder.dispose()
  }
}
