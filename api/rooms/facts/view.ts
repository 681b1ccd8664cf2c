import type { z } from '../../core/http/contract.ts'
import type { TensorComparison } from './compare/compare-job.ts'
import type { HeaderDiff } from './compare/header-diff.ts'
import type { FileHeader } from './header/file-header.ts'
import type { HeaderValue, Tensor, TensorSet } from './header/tensors.ts'
import type * as schemas from './schemas.ts'

type View<S extends z.ZodType> = z.output<S>

/** Characters of one text. Chat templates have up to 30 000. */
const MAX_TEXT = 64 * 1024
/** Characters of all keys of a header together. */
const MAX_KEYS_TEXT = 2 * 1024 * 1024
/** Characters of a text in a diff. */
const MAX_DIFF_TEXT = 4096
/** Names of tensors in one answer. */
const MAX_NAMES = 1000

/** A page of a header as the API shows it. */
export function fileHeaderView(
  { commit, path, set, tensors, isFirst }: FileHeader,
  nextCursor: string,
): View<typeof schemas.FileHeader> {
  const { keys, isCut } = keysOf(set)
  return {
    commit,
    path,
    format: set.format,
    header: {
      keys: isFirst ? keys : [],
      tensors: tensors.map((tensor) => ({ ...tensorView(tensor), file: tensor.file, offset: tensor.offset })),
    },
    files: set.files.map(({ file, facts }) => ({
      path: file.path,
      size: file.sizeBytes,
      tensor_count: facts.tensorCount,
    })),
    tensor_count: set.tensorCount,
    parameters: set.parameters,
    parameters_by_dtype: set.parametersByDtype,
    problems: isFirst ? set.problems.slice(0, 200) : [],
    truncated: set.isTruncated || isCut,
    next_cursor: nextCursor,
  }
}

const tensorView = ({ name, dtype, shape, sizeBytes }: Tensor): View<typeof schemas.Tensor> => ({
  name,
  dtype,
  shape,
  ...(sizeBytes === undefined ? {} : { size: sizeBytes }),
})

function keysOf({ metadata }: TensorSet) {
  const keys: { key: string; value: HeaderValue }[] = []
  let room = MAX_KEYS_TEXT
  for (const [key, value] of metadata) {
    const shown = { key, value: cut(value, MAX_TEXT) }
    room -= key.length + JSON.stringify(shown.value).length
    if (room < 0) return { keys, isCut: true }
    keys.push(shown)
  }
  return { keys, isCut: false }
}

function cut(value: HeaderValue, max: number): HeaderValue {
  return typeof value === 'string' && value.length > max ? `${value.slice(0, max)}…` : value
}

/** A comparison of headers as the API shows it. */
export function headerDiffView({
  tensors,
  keys,
  isTruncated,
  ...sides
}: HeaderDiff): View<typeof schemas.HeaderDiff> {
  const value = (of: HeaderValue) => cut(of, MAX_DIFF_TEXT)
  const alone = (of: { key: string; value: HeaderValue }) => ({ key: of.key, value: value(of.value) })
  return {
    ...sides,
    tensors: {
      added: { count: tensors.added.count, items: tensors.added.items.map(tensorView) },
      removed: { count: tensors.removed.count, items: tensors.removed.items.map(tensorView) },
      changed: {
        count: tensors.changed.count,
        items: tensors.changed.items.map((pair) => ({
          name: pair.new.name,
          old: tensorView(pair.old),
          new: tensorView(pair.new),
        })),
      },
      alike: tensors.alikeCount,
    },
    keys: {
      added: { count: keys.added.count, items: keys.added.items.map(alone) },
      removed: { count: keys.removed.count, items: keys.removed.items.map(alone) },
      changed: {
        count: keys.changed.count,
        items: keys.changed.items.map((pair) => ({
          key: pair.key,
          old: value(pair.old),
          new: value(pair.new),
        })),
      },
    },
    truncated: isTruncated,
  }
}

/** What is known of how the bytes of tensors differ. */
export function comparisonView({
  sides,
  comparison,
}: TensorComparison): View<typeof schemas.TensorComparison> {
  const { old, new: now, alike } = sides
  const about = { old, new: now, alike: alike.length }
  if (!comparison) return { status: 'unknown', ...about }
  const { equal, differentCount, different, readBytes } = comparison
  const items = different.slice(0, MAX_NAMES)
  return { status: 'ready', ...about, equal, different: { count: differentCount, items }, read: readBytes }
}
