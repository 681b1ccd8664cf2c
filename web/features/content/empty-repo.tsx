import { Button, Group, Stack, Title } from '@mantine/core'
import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import { hasRole } from '../../lib/repo-context.ts'
import type { Repo } from '../../lib/types.ts'
import { uploadTo } from '../../lib/upload-to.ts'
import { Commands } from '../../ui/commands/commands.tsx'
import { EmptyState } from '../../ui/states.tsx'

/** The first page of a repo without a commit: how to put files in, for those who may. */
export default function EmptyRepo({ repo }: { repo: Repo }) {
  if (!hasRole(repo, 'write')) return <EmptyState title={`This ${repo.type} is empty`} />
  return (
    <Stack gap="md" py="lg" maw={640}>
      <Title order={2}>Put the first files in</Title>
      <Group>
        <Button component={Link} to={pages.upload(repo, repo.default_branch)}>
          Upload files
        </Button>
        <Button
          variant="default"
          component={Link}
          to={`${pages.newFile(repo, repo.default_branch)}?name=README.md`}
        >
          Write a README
        </Button>
      </Group>
      <Commands label="Or from a terminal or a program" of={uploadTo(repo, repo.default_branch)} />
    </Stack>
  )
}
