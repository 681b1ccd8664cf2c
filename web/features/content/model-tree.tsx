import { Anchor, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { formatExact } from '../../lib/format.ts'
import { pages } from '../../lib/pages.ts'
import type { Repo, RepoAddress } from '../../lib/types.ts'
import classes from './content.module.css'
import { NeedLine } from './need.tsx'
import { dependenciesQuery } from './queries.ts'

const children = {
  adapter: 'Adapters',
  finetune: 'Finetunes',
  merge: 'Merges',
  quantized: 'Quantizations',
} as const
const relations = Object.keys(children) as (keyof typeof children)[]

/** What a repo is made from and needs, and what is made from it. */
export function ModelTree({ repo, address }: { repo: Repo; address: RepoAddress }) {
  const { data } = useQuery(dependenciesQuery(address))
  if (!data) return null
  const derived = relations.filter((relation) => data.children[relation] > 0)
  // A dataset has no models made from it, but models that were trained on it.
  const users = repo.type === 'dataset' ? data.needed_by.length : 0
  if (data.needs.length + derived.length + users === 0) return null
  return (
    <Stack component="section" gap={6} aria-label={repo.type === 'model' ? 'Model tree' : 'Used with'}>
      <Text size="sm" fw={600}>
        {repo.type === 'model' ? 'Model tree' : 'Used with'}
      </Text>
      {data.needs.map((need) => (
        <NeedLine key={`${need.kind} ${need.repo.ns}/${need.repo.name}`} need={need} />
      ))}
      {derived.map((relation) => (
        <div key={relation} className={classes['need']}>
          <Text size="sm" c="dimmed">
            {children[relation]}
          </Text>
          <Anchor
            size="sm"
            component={Link}
            underline="always"
            to={`${pages.list('model')}?tag=${encodeURIComponent(`base_model:${relation}:${repo.full_name}`)}`}
          >
            {formatExact(data.children[relation])}
          </Anchor>
        </div>
      ))}
      {users > 0 && (
        <div className={classes['need']}>
          <Text size="sm" c="dimmed">
            Models
          </Text>
          <Anchor
            size="sm"
            component={Link}
            underline="always"
            to={`${pages.list('model')}?tag=${encodeURIComponent(`dataset:${repo.full_name}`)}`}
          >
            {formatExact(users)}
          </Anchor>
        </div>
      )}
    </Stack>
  )
}
