import { z } from '../../core/http/contract.ts'

const Shape = z.array(z.int())

const tensor = {
  name: z.string(),
  dtype: z.string().openapi({ example: 'BF16' }),
  shape: Shape,
  size: z.int().optional().openapi({ description: 'Bytes; absent for a dtype that is not known.' }),
}

export const Tensor = z.object(tensor).openapi('Tensor')

const LocatedTensor = z
  .object({
    ...tensor,
    file: z.int().openapi({ description: 'Its file, as a place in `files`.' }),
    offset: z.int().openapi({ description: 'Its first byte, from the beginning of the file.' }),
  })
  .openapi('LocatedTensor')

/** Text, a number, a flag, or an array by its length and first items. */
const HeaderValue = z
  .union([
    z.string(),
    z.number(),
    z.boolean(),
    z.object({
      type: z.string(),
      length: z.int(),
      first: z.array(z.union([z.string(), z.number(), z.boolean()])),
    }),
  ])
  .openapi('HeaderValue')

const KeyValue = z.object({ key: z.string(), value: HeaderValue })

const HeaderProblem = z.object({
  code: z.string(),
  message: z.string(),
  severity: z.enum(['error', 'warning', 'info']),
})

export const FileHeader = z
  .object({
    commit: z.string(),
    path: z.string(),
    format: z.enum(['safetensors', 'gguf']),
    header: z.object({
      keys: z.array(KeyValue).openapi({ description: 'On the first page. Long texts are cut.' }),
      tensors: z.array(LocatedTensor),
    }),
    files: z
      .array(z.object({ path: z.string(), size: z.int(), tensor_count: z.int() }))
      .openapi({ description: 'The file, or its shards.' }),
    tensor_count: z.int(),
    parameters: z.int(),
    parameters_by_dtype: z.record(z.string(), z.int()),
    problems: z.array(HeaderProblem).openapi({ description: 'On the first page.' }),
    truncated: z.boolean().openapi({ description: 'There are more keys or tensors than all pages list.' }),
    next_cursor: z.string(),
  })
  .openapi('FileHeader')

const changes = <S extends z.ZodType>(item: S) =>
  z.object({ count: z.int(), items: z.array(item).openapi({ description: 'The first 1000.' }) })

const Side = z.object({ commit: z.string(), path: z.string() })

export const HeaderDiff = z
  .object({
    old: Side.optional(),
    new: Side.optional(),
    tensors: z.object({
      added: changes(Tensor),
      removed: changes(Tensor),
      changed: changes(z.object({ name: z.string(), old: Tensor, new: Tensor })),
      alike: z.int().openapi({ description: 'Tensors of equal dtype and shape; their bytes may differ.' }),
    }),
    keys: z.object({
      added: changes(KeyValue),
      removed: changes(KeyValue),
      changed: changes(z.object({ key: z.string(), old: HeaderValue, new: HeaderValue })),
    }),
    truncated: z.boolean().openapi({ description: 'A header has more tensors than are compared.' }),
  })
  .openapi('HeaderDiff')

export const TensorComparison = z
  .object({
    status: z.enum(['unknown', 'ready']).openapi({
      description: '`unknown` until a job has compared the bytes: see `compareTensors`.',
    }),
    old: Side,
    new: Side,
    alike: z.int().openapi({ description: 'Tensors of equal dtype and shape: those that are compared.' }),
    equal: z.int().optional().openapi({ description: 'Tensors whose bytes are equal.' }),
    different: changes(z.string())
      .optional()
      .openapi({ description: 'Tensors whose bytes differ, by name.' }),
    read: z.int().optional().openapi({ description: 'Bytes that the job read; equal files are not read.' }),
  })
  .openapi('TensorComparison')
