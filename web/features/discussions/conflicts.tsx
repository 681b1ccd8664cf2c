import { Anchor, Button, Code, Text } from '@mantine/core'
import { IconGitPullRequestConflict } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useCommitWays } from '../../lib/commit-ways.ts'
import { pages } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import { uploadTo } from '../../lib/upload-to.ts'
import { Commands } from '../../ui/commands/commands.tsx'
import { MergeFrame as Frame } from './merge-frame.tsx'
import type { PullProps } from './thread.ts'

/** What stands in the way of a merge, and how to resolve it. */
export default function Conflicts({ pull }: { pull: PullProps['pull'] }) {
  const { repo } = useRepo()
  const canCommit = useCommitWays(pull.ref).length > 0
  return (
    <Frame
      title={`Conflicts with ${pull.base}`}
      color="caution"
      icon={<IconGitPullRequestConflict size={18} />}
    >
      {pull.conflicts.length > 0 && (
        <>
          <Text size="sm">Both have changed the same parts of:</Text>
          <ul aria-label="Files in conflict" style={{ margin: 0, paddingLeft: 20 }}>
            {pull.conflicts.map((path) => (
              <ConflictingFile key={path} path={path} pull={pull} canCommit={canCommit} />
            ))}
          </ul>
        </>
      )}
      <Text size="sm">
        A commit to <Code>{pull.ref}</Code> that takes over what {pull.base} has changed there resolves it.
      </Text>
      {canCommit && (
        <>
          <Button
            size="xs"
            variant="default"
            w="fit-content"
            component={Link}
            to={pages.upload(repo, pull.ref)}
          >
            Upload resolved files
          </Button>
          <Commands label="From a terminal or a program" of={uploadTo(repo, pull.ref)} />
        </>
      )}
    </Frame>
  )
}

interface ConflictingFileProps {
  path: string
  pull: PullProps['pull']
  canCommit: boolean
}

/** A file that both sides have changed, as each has it, and the way to make one of them. */
function ConflictingFile({ path, pull, canCommit }: ConflictingFileProps) {
  const { repo } = useRepo()
  return (
    <li>
      <Anchor
        component={Link}
        to={pages.blob(repo, pull.ref, path)}
        ff="monospace"
        size="sm"
        underline="always"
        style={{ overflowWrap: 'anywhere' }}
      >
        {path}
      </Anchor>
      <Anchor
        component={Link}
        to={pages.blob(repo, pull.base, path)}
        size="sm"
        ml={10}
        aria-label={`${path} on ${pull.base}`}
      >
        on {pull.base}
      </Anchor>
      {canCommit && (
        <Anchor
          component={Link}
          to={pages.editFile(repo, pull.ref, path)}
          size="sm"
          ml={10}
          aria-label={`Edit ${path}`}
        >
          edit
        </Anchor>
      )}
    </li>
  )
}
