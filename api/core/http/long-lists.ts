import { z } from '@hono/zod-openapi'
import { Turns } from '../../platform/flow/index.ts'
import { faultsOf, type Issue } from './validation.ts'

/** Elements that are looked at in one go: at most 3 ms. */
const SLICE = 500

/**
 * What is wrong in the first faulty slice of a body's long lists. A schema looks at all of them in one go, which takes
 * zod 4 130 ms for 25 000 faulty operations; 25 000 good ones take it 30 ms.
 */
export async function faultsOfLists(
  schema: unknown,
  value: unknown,
): Promise<ReturnType<typeof faultsOf> | undefined> {
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return undefined
  const turns = new Turns()
  for (const [name, part] of Object.entries(schema.shape)) {
    const list = (value as Record<string, unknown>)[name]
    if (!(part instanceof z.ZodArray) || !Array.isArray(list) || list.length <= SLICE) continue
    const slices = z.array(part.element)
    for (let at = 0; at < list.length; at += SLICE) {
      await turns.breathe()
      const read = slices.safeParse(list.slice(at, at + SLICE))
      if (!read.success) return faultsOf(moved(read.error.issues as Issue[], at), [name])
    }
  }
  return undefined
}

/** Issues of a slice as those of its list. */
const moved = (issues: Issue[], by: number): Issue[] =>
  issues.map((issue) => ({ ...issue, path: [Number(issue.path[0]) + by, ...issue.path.slice(1)] }))
