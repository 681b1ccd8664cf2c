import { Badge, Group } from '@mantine/core'
import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import type { Repo } from '../../lib/types.ts'
import { facetNames } from './list-state.ts'

/** Tags of one Repo that are shown at most. */
const shownAtMost = 24

/** What a Repo is about; task, library and licence lead to others that have the same. */
export function RepoTags({ repo }: { repo: Repo }) {
  const facets = facetNames.flatMap((name) => {
    const value = repo[name]
    return value ? [{ name, value }] : []
  })
  const known = new Set(facets.map(({ value }) => value))
  // Hub clients read these two; people have the licence beside them, and every Repo is in the one region.
  const tags = repo.tags.filter(
    (tag) => !known.has(tag) && tag !== 'region:us' && tag !== `license:${repo.licence}`,
  )
  if (facets.length + tags.length === 0) return null
  return (
    <Group gap={4}>
      {facets.map(({ name, value }) => (
        <Badge
          key={name}
          variant="default"
          size="sm"
          fw={500}
          component={Link}
          to={`${pages.list(repo.type)}?${name}=${encodeURIComponent(value)}`}
          style={{ cursor: 'pointer' }}
        >
          {value}
        </Badge>
      ))}
      {tags.slice(0, shownAtMost).map((tag) => (
        <Badge key={tag} variant="default" size="sm" fw={500} maw="100%">
          {tag}
        </Badge>
      ))}
    </Group>
  )
}
