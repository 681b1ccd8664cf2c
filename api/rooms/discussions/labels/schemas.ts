import { labelColors, limits } from '../../../../shared/vocabulary.ts'
import { z } from '../../../core/http/contract.ts'
import { Text } from '../../repos/schemas.ts'

const Name = Text.trim().min(1).max(limits.labelName)
const Color = z.enum(labelColors)
const Description = Text.trim().max(limits.labelDescription)

export const Label = z
  .object({
    id: z.string(),
    name: z.string(),
    color: Color,
    description: z.string().optional(),
  })
  .openapi('Label', { description: 'Sorts the discussions and pull requests of a repo.' })

export const LabelList = z.object({ items: z.array(Label) }).openapi('LabelList')

export const LabelCreate = z
  .strictObject({
    name: Name.openapi({ description: 'Unique among the labels of the repo, in any case.' }),
    color: Color.default('gray'),
    description: Description.default(''),
  })
  .openapi('LabelCreate')

export const LabelUpdate = z
  .strictObject({ name: Name, color: Color, description: Description })
  .partial()
  .openapi('LabelUpdate')
