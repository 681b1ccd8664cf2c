import { oneLine, z } from '../../../core/http/contract.ts'

const MAX_VALUES = 200
const values = z.array(oneLine(z.string().min(1).max(500))).max(MAX_VALUES)

/** Which large files of an upstream's repo are wanted. */
export const SelectionSchema = z.strictObject({
  all: z.boolean().optional(),
  include: values.optional(),
  exclude: values.optional(),
  quants: values.optional(),
  configs: values.optional(),
  splits: values.optional(),
})
