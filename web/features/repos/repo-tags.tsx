import { Badge, Group } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import type { Repo } from '../../lib/types.ts'

const chip = { bg: 'var(--app-chip)', c: 'var(--mantine-color-text)' }
const looks = {
  task: { bg: 'var(--app-warm)', c: 'var(--app-warm-text)' },
  library: chip,
  licence: chip,
  tag: { variant: 'default' },
}
const facets = ['task', 'library', 'licence'] as const

/** What is shown without being asked for, all on one line: four where it is wide, and two on a phone. */
const shownAtFirst = 4
const shownOnPhones = 2

/** Longer ones are cut where the line has no room for all. */
const legibleLength = 8

/** What a repo is about: task, library, licence and tags, each a link to others that have the same. */
export function RepoTags({ repo }: { repo: Repo }) {
  const [isOpen, setIsOpen] = useState(false)
  const known = facets.flatMap((name) => {
    const value = repo[name]
    return value ? [{ name, value }] : []
  })
  const tags = tagsBeside(
    repo,
    known.map(({ value }) => value),
  )
  const all = [...known, ...tags.map((value) => ({ name: 'tag' as const, value }))]
  if (all.length === 0) return null
  const shown = isOpen ? all : all.slice(0, shownAtFirst)
  const open = () => setIsOpen(true)
  return (
    <Group gap={6} wrap={isOpen ? 'wrap' : 'nowrap'} role="group" aria-label="Tags">
      {shown.map(({ name, value }, i) => (
        <Badge
          key={`${name} ${value}`}
          {...(!isOpen && i >= shownOnPhones && { visibleFrom: 'xs' })}
          size="md"
          fw={500}
          radius="sm"
          miw={0}
          title={value}
          {...looks[name]}
          component={Link}
          to={`${pages.list(repo.type)}?${name}=${encodeURIComponent(value)}`}
          style={{ cursor: 'pointer', flexShrink: Number(value.length > legibleLength) }}
        >
          {value}
        </Badge>
      ))}
      {!isOpen && (
        <>
          <More count={all.length - shownAtFirst} open={open} visibleFrom="xs" />
          <More count={all.length - shownOnPhones} open={open} hiddenFrom="xs" />
        </>
      )}
    </Group>
  )
}

interface MoreProps {
  count: number
  open: () => void
  visibleFrom?: 'xs'
  hiddenFrom?: 'xs'
}

/** Shows the tags that the line has no room for, where there are some. */
function More({ count, open, ...where }: MoreProps) {
  if (count <= 0) return null
  return (
    <Badge
      component="button"
      type="button"
      variant="light"
      size="md"
      radius="sm"
      style={{ cursor: 'pointer' }}
      aria-label={`Show ${count} more tag${count === 1 ? '' : 's'}`}
      onClick={open}
      {...where}
    >
      +{count}
    </Badge>
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
