/*
 * Addresses of lists as the public hub writes them, so that a bookmark works once its host is changed:
 * `/models?pipeline_tag=text-generation&license=license:mit&other=gguf&sort=modified&search=llama`.
 */

const orders = new Map([
  ['modified', 'updated'],
  ['lastModified', 'updated'],
  ['last_modified', 'updated'],
  ['createdAt', 'created'],
  ['created_at', 'created'],
  ['trendingScore', 'trending'],
  ['trending_score', 'trending'],
  ['likes30d', 'likes'],
  ['most_params', 'parameters'],
  ['num_parameters', 'parameters'],
  ['mainSize', 'size'],
  ['main_size', 'size'],
])

/** Their parameter → ours, and what its values may begin with there. */
const names: Record<string, { own: string; prefix?: string }> = {
  search: { own: 'q' },
  author: { own: 'ns' },
  pipeline_tag: { own: 'task' },
  task_categories: { own: 'task', prefix: 'task_categories:' },
  license: { own: 'licence', prefix: 'license:' },
  language: { own: 'language', prefix: 'language:' },
  format: { own: 'format', prefix: 'format:' },
  modality: { own: 'modality', prefix: 'modality:' },
  size_categories: { own: 'size_category', prefix: 'size_categories:' },
  other: { own: 'tag' },
}

const bare = (values: string, prefix = ''): string =>
  values
    .split(',')
    .map((value) => (value.startsWith(prefix) ? value.slice(prefix.length) : value))
    .join(',')

/** The query of a list page in our own names, which go before theirs. Names that are neither stay, and mean nothing. */
export function ownNames(search: URLSearchParams): URLSearchParams {
  const own = new URLSearchParams(search)
  for (const [name, { own: ours, prefix }] of Object.entries(names)) {
    const values = search.getAll(name)
    if (values.length === 0) continue
    const wanted = name === ours || !search.get(ours) ? bare(values.join(','), prefix) : search.get(ours)
    if (name !== ours) own.delete(name)
    own.set(ours, wanted ?? '')
  }
  const order = orders.get(search.get('sort') ?? '')
  if (order) own.set('sort', order)
  return own
}
