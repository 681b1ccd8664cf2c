import { Badge, Group } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import type { Repo } from '../../lib/types.ts'

const badges = ['task', 'library', 'licence'] as const
const colours = { task: 'var(--app-warm)', library: 'var(--app-chip)', licence: 'var(--app-chip)' }
const texts = {
  task: 'var(--app-warm-text)',
  library: 'var(--mantine-color-text)',
  licence: 'var(--mantine-color-text)',
}

/** Tags that are shown without being asked for, all on one line. */
const shownAtFirst = 4

/** What a repo is about; task, library and licence lead to others that have the same. */
export function RepoTags({ repo }: { repo: Repo }) {
  const [isOpen, setIsOpen] = useState(false)
  const facets = badges.flatMap((name) => {
    const value = repo[name]
    return value ? [{ name, value }] : []
  })
  const tags = tagsBeside(
    repo,
    facets.map(({ value }) => value),
  )
  if (facets.length + tags.length === 0) return null
  // A button that would show a single tag more takes as much room as the tag.
  const shown = isOpen || tags.length <= shownAtFirst + 1 ? tags : tags.slice(0, shownAtFirst)
  return (
    <Group gap={6}>
      {facets.map(({ name, value }) => (
        <Badge
          key={name}
          size="md"
          fw={500}
          radius="sm"
          bg={colours[name]}
          c={texts[name]}
          component={Link}
          to={`${pages.list(repo.type)}?${name}=${encodeURIComponent(value)}`}
          style={{ cursor: 'pointer' }}
        >
          {value}
        </Badge>
      ))}
      {shown.map((tag) => (
        <Badge
          key={tag}
          variant="default"
          size="md"
          fw={500}
          radius="sm"
          maw="100%"
          title={tag}
          component={Link}
          to={`${pages.list(repo.type)}?tag=${encodeURIComponent(tag)}`}
          style={{ cursor: 'pointer' }}
        >
          {tag}
        </Badge>
      ))}
      {shown.length < tags.length && (
        <Badge
          component="button"
          type="button"
          variant="light"
          size="md"
          radius="sm"
          style={{ cursor: 'pointer' }}
          aria-label={`Show ${tags.length - shown.length} more tags`}
          onClick={() => setIsOpen(true)}
        >
          +{tags.length - shown.length}
        </Badge>
      )}
    </Group>
  )
}

/** The tags that say more than what already stands there. */
function tagsBeside(repo: Repo, known: string[]): string[] {
  // Hub clients read these; people have the licence beside them, and every repo is in the one region.
  const said = new Set([
    ...known,
    'region:us',
    `license:${repo.licence}`,
    ...known.map((value) => `task_categories:${value}`),
  ])
  // `base_model:finetune:a/b` says the same as `base_model:a/b` and how.
  const bases = repo.tags.flatMap((tag) => /^base_model:[a-z]+:(.+\/.+)$/.exec(tag)?.[1] ?? [])
  for (const base of bases) said.add(`base_model:${base}`)
  return repo.tags.filter((tag) => !said.has(tag))
}
