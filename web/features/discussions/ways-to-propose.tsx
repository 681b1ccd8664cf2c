import { Button, Group, Stack, Text } from '@mantine/core'
import { IconFilePlus, IconUpload } from '@tabler/icons-react'
import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import { uploadTo } from '../../lib/upload-to.ts'
import { Commands } from '../../ui/commands/commands.tsx'

/** How a pull request is opened by its first commit. */
export function WaysToPropose() {
  const { repo } = useRepo()
  const rev = repo.default_branch
  return (
    <Stack gap="sm">
      <Text size="sm">
        A pull request onto {rev} is opened by its first commit, which you make as one instead of directly:
      </Text>
      <Group gap="xs">
        <Button
          size="xs"
          leftSection={<IconUpload size={14} />}
          component={Link}
          to={pages.upload(repo, rev)}
        >
          Upload files
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconFilePlus size={14} />}
          component={Link}
          to={pages.newFile(repo, rev)}
        >
          Write a file
        </Button>
      </Group>
      <Commands label="From a terminal or a program" of={uploadTo(repo, rev, true)} />
    </Stack>
  )
}
