import {
  MAX_HISTORY_OBJECT_BYTES,
  quotePath,
  type Inspection,
  type TreeFault,
} from '../../../core/git/index.ts'

const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']

/** `10 MiB`, `1.3 GiB`. */
function sizeText(bytes: number): string {
  let value = bytes
  let unit = 0
  for (; value >= 1024 && unit < units.length - 1; unit++) value /= 1024
  return `${Number(value.toFixed(1))} ${units[unit]}`
}

/** In quotes only where it cannot be shown as it is. */
const shownPath = (path: string) => (quotePath(path) === `"${path}"` ? path : quotePath(path))
const MAX_COMMANDS_SHOWN = 3

/** Files that belong into LFS; `ref` where it is known which one brings them. */
export function tooLargeLines(
  { large, moreLarge }: Inspection,
  maxBytes: number,
  ref: string | undefined,
): string[] {
  const count = large.length + moreLarge
  const paths = [...new Set(large.map(({ path }) => path))]
  const shown = paths.slice(0, MAX_COMMANDS_SHOWN)
  return [
    `arsenal: push rejected, ${count} ${count === 1 ? 'file exceeds' : 'files exceed'} the ${sizeText(maxBytes)} limit for files outside Git LFS`,
    ...large.map(
      ({ path, sizeBytes }) =>
        `  ${shownPath(path)}  (${[sizeText(sizeBytes), ...(ref ? [ref] : [])].join(', ')})`,
    ),
    ...(moreLarge > 0 ? [`  and ${moreLarge} more`] : []),
    'Track them with LFS and rewrite the commits:',
    ...shown.map((path) => `  git lfs track ${quotePath(path)}`),
    `  git lfs migrate import --include=${quotePath(shown.join(','))}`,
    'Files over 5 GiB: run "hf lfs-enable-largefiles ." first',
  ]
}

/** Pointers whose objects are not here, or not the pusher's to use. */
export function lfsMissingLines(files: { path: string; sha256: string }[], branch: string): string[] {
  const shown = files.slice(0, 10)
  return [
    `arsenal: push rejected, ${files.length} large ${files.length === 1 ? 'file has' : 'files have'} not been uploaded`,
    ...shown.map(({ path, sha256 }) => `  ${shownPath(path)}  (${sha256})`),
    ...(files.length > shown.length ? [`  and ${files.length - shown.length} more`] : []),
    'Upload them and push again:',
    `  git lfs push --all origin ${branch}`,
  ]
}

export const packTooLargeLines = (maxBytes: number): string[] => [
  `arsenal: push rejected, the pack exceeds the limit of ${sizeText(maxBytes)}`,
  'Push the history in several steps, oldest commits first, or move large files to LFS:',
  '  git lfs migrate import --above=1mb --everything',
]

export const largeHistoryLines = ({
  oid,
  type,
  sizeBytes,
}: NonNullable<Inspection['largeHistory']>): string[] => [
  `arsenal: push rejected, the ${type} ${oid} itself has ${sizeText(sizeBytes)}, of ${sizeText(MAX_HISTORY_OBJECT_BYTES)} at most`,
  'Shorten its message and push again.',
]

export const treeTooLargeLines = ({ message }: TreeFault): string[] => [
  `arsenal: push rejected, a commit ${message}`,
  'Pack small files into archives, or split them over several repos, and rewrite the commits.',
]

export const tooManyRefsLines = (count: number, most: number): string[] => [
  `arsenal: push rejected, it moves ${count} refs and may move ${most} at once`,
  'Push them in several steps, as here the branches with some initials, then the tags:',
  `  git push origin 'refs/heads/a*:refs/heads/a*'`,
]

export const notForwardLines = (branch: string): string[] => [
  `arsenal: ${branch} is the default branch, which only moves forward: fetch, then merge or rebase, and push again.`,
  'Admins of the repo may force it.',
]

export const badPathLines = (path: string, message: string): string[] => [
  `arsenal: push rejected, the path ${quotePath(path)} ${message}`,
]

/** Names that cannot lie side by side on every machine; the push is taken all the same. */
export const collisionLines = (pairs: [string, string][]): string[] => [
  'arsenal: warning, names that differ in nothing but case or Unicode form overwrite each other on macOS and Windows:',
  ...pairs.map(([one, other]) => `  ${quotePath(one)}  ${quotePath(other)}`),
]
