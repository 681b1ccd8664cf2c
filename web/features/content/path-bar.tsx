import { Anchor, Group, Text } from '@mantine/core'
import { Fragment } from 'react'
import { Link } from 'react-router'
import { pullNumberOf } from '../../lib/commit-ways.ts'
import { pages } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import { CopyButton } from '../../ui/copy-button.tsx'

/** Where one is in the tree; every folder above is a link. */
export function PathBar({ rev, path }: { rev: string; path: string }) {
  const { repo } = useRepo()
  const pull = pullNumberOf(rev)
  const segments = path === '' ? [] : path.split('/')
  return (
    <Group
      gap={4}
      component="nav"
      aria-label="Path"
      style={{ overflowWrap: 'anywhere' }}
      ff="monospace"
      fz="sm"
    >
      <Anchor component={Link} to={pages.tree(repo, rev)} inherit>
        {repo.name}
      </Anchor>
      {segments.map((segment, i) => (
        <Fragment key={i}>
          <Text span inherit c="dimmed">
            /
          </Text>
          {i === segments.length - 1 ? (
            <Text span inherit fw={600} aria-current="page">
              {segment}
            </Text>
          ) : (
            <Anchor component={Link} to={pages.tree(repo, rev, segments.slice(0, i + 1).join('/'))} inherit>
              {segment}
            </Anchor>
          )}
        </Fragment>
      ))}
      {path && <CopyButton text={path} label="Copy the path" />}
      {pull !== undefined && (
        <Anchor
          component={Link}
          to={pages.discussion(repo, pull)}
          inherit
          ml={6}
          ff="text"
          underline="always"
        >
          Pull request #{pull}
        </Anchor>
      )}
    </Group>
  )
}
