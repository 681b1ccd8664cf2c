import { Anchor, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { formatExact } from '../../../lib/format.ts'
import { pages } from '../../../lib/pages.ts'
import { useRepo } from '../../../lib/repo-context.ts'
import { Loaded } from '../../../ui/loaded.tsx'
import { ScanMark } from '../../../ui/scan-mark.tsx'
import { Section } from '../../../ui/section.tsx'
import { repoScanQuery, type RepoScan } from './queries.ts'

const words = {
  unsafe: 'Loading some of these files can run code.',
  suspicious: 'It is not known what loading some of these files runs.',
  failed: 'Some files could not be scanned to their end.',
  pending: 'Not all files have been scanned yet.',
  safe: 'Nothing unsafe was found.',
}

/** Files of the default branch that are not safe. */
export function RepoSafety() {
  const { repo, address } = useRepo()
  const query = useQuery({ ...repoScanQuery(address), enabled: repo.head_commit !== undefined })
  if (repo.head_commit === undefined) return null
  return (
    <Section
      title="Security"
      note={`What loading the files of ${repo.default_branch} can do, found by reading them.`}
      danger={query.data?.status === 'unsafe'}
    >
      <Loaded query={query}>{(scan) => <Found scan={scan} />}</Loaded>
    </Section>
  )
}

function Found({ scan }: { scan: RepoScan }) {
  const { repo } = useRepo()
  const total = scan.unsafe + scan.suspicious + scan.failed
  return (
    <Stack gap="xs">
      <Text size="sm">
        {words[scan.status]}
        {scan.status !== 'pending' && !scan.done && ` ${words.pending}`}
      </Text>
      {scan.files.map(({ path, status }) => (
        <Group key={path} gap="xs" wrap="nowrap">
          <ScanMark status={status} />
          <Anchor
            component={Link}
            to={pages.blob(repo, repo.default_branch, path)}
            size="sm"
            ff="monospace"
            style={{ overflowWrap: 'anywhere' }}
          >
            {path}
          </Anchor>
        </Group>
      ))}
      {total > scan.files.length && (
        <Text size="sm" c="dimmed">
          {formatExact(total - scan.files.length)} more are not listed.
        </Text>
      )}
    </Stack>
  )
}
