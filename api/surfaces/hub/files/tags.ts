import type { Context } from 'hono'
import type { RepoType } from '../../../../shared/vocabulary.ts'
import type { Env } from '../../../core/http/env.ts'
import { findTagsInUse, type TagsInUse } from '../../../rooms/repos/index.ts'

interface Tag {
  type: string
  id: string
  label: string
}

const prefixes = {
  model: ['license', 'dataset', 'region', 'arxiv', 'base_model'],
  dataset: [
    'task_categories',
    'task_ids',
    'language',
    'multilinguality',
    'language_creators',
    'size_categories',
    'license',
    'benchmark',
    'region',
    'arxiv',
  ],
}

function typeOf(type: RepoType, tag: string, { libraries, tasks }: TagsInUse): string {
  if (type === 'model' && libraries.has(tag)) return 'library'
  if (type === 'model' && tasks.has(tag)) return 'pipeline_tag'
  const prefix = tag.slice(0, Math.max(0, tag.indexOf(':')))
  return prefixes[type].includes(prefix) ? prefix : 'other'
}

/** `GET /api/models-tags-by-type`, `GET /api/datasets-tags-by-type` */
export async function sendTagsByType(c: Context<Env>, type: RepoType): Promise<Response> {
  const found = await findTagsInUse(c.var.ctx, type)
  const groups = [...prefixes[type], ...(type === 'model' ? ['library', 'pipeline_tag'] : []), 'other']
  const byType = Object.fromEntries(groups.map((group): [string, Tag[]] => [group, []]))
  for (const tag of found.tags) {
    const group = typeOf(type, tag, found)
    const label = group === 'other' ? tag : tag.replace(`${group}:`, '')
    byType[group]?.push({ type: group, id: tag, label })
  }
  return c.json(byType)
}
