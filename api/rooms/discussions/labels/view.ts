import type { z } from '../../../core/http/contract.ts'
import type { Label } from './queries.ts'
import type * as schemas from './schemas.ts'

export const labelView = ({ description, ...label }: Label): z.output<typeof schemas.Label> => ({
  ...label,
  ...(description === '' ? {} : { description }),
})
