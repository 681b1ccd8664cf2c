import { z } from 'zod'

const MAX_VALUES = 200
const ONE_LINE = /^[^\u0000-\u001F\u007F-\u009F]*$/
const value = z.string().min(1).max(500).regex(ONE_LINE, 'must be one line without control characters')
const values = z.array(value).max(MAX_VALUES)

/** Which large files of an upstream's repo are wanted. */
export const SelectionSchema = z.strictObject({
  all: z.boolean().optional(),
  include: values.optional(),
  exclude: values.optional(),
  quants: values.optional(),
  configs: values.optional(),
  splits: values.optional(),
})
