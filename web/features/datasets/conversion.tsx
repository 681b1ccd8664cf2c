import { Alert, Anchor, Button, Code, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import { hasRole, useRepo } from '../../lib/repo-context.ts'
import { uploadTo } from '../../lib/upload-to.ts'
import { JobProgress } from '../../ui/job-progress.tsx'
import { Sha } from '../../ui/sha.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { conversionQuery, isConverting, type Config, type DatasetConfigs, type Split } from './queries.ts'

/** What stands in place of the table where a dataset has none: why, and what to do. */
export function NoConfigs({ configs }: { configs: DatasetConfigs }) {
  const { repo } = useRepo()
  const canWrite = hasRole(repo, 'write')
  if (configs.problem?.code === 'EmptyDatasetError')
    return (
      <EmptyState
        picture="table"
        title="This dataset has no rows yet"
        action={
          canWrite && (
            <Button size="xs" component={Link} to={pages.upload(repo, repo.default_branch)}>
              Upload files
            </Button>
          )
        }
        deed={canWrite ? uploadTo(repo, repo.default_branch) : undefined}
      >
        The viewer reads CSV, TSV, JSON, JSON Lines, Parquet, Arrow and text files, and folders of images or
        audio.
      </EmptyState>
    )
  switch (configs.status) {
    case 'disabled':
      return (
        <EmptyState picture="table" title="The viewer is off for this dataset">
          {canWrite ? (
            <>
              Remove <Code>viewer: false</Code> from the metadata of its README.md to switch it on. The server
              may also have it switched off.
            </>
          ) : (
            'Its owner or the server has it switched off.'
          )}
        </EmptyState>
      )
    case 'missing_files':
      return (
        <EmptyState picture="table" title="The files of this mirror are not here">
          The viewer shows data files once they are pulled.{' '}
          <Anchor component={Link} to={pages.tree(repo, repo.default_branch)} inherit underline="always">
            See which files are missing
          </Anchor>
        </EmptyState>
      )
    case 'unsupported':
    case 'failed':
      return (
        <EmptyState
          picture="table"
          title={
            configs.status === 'failed'
              ? 'This dataset cannot be read'
              : 'No table can be made of these files'
          }
          action={configs.job_id && <JobLink id={configs.job_id} />}
        >
          <p>{configs.problem?.message ?? 'No file of a known format was found.'}</p>
          The viewer reads CSV, TSV, JSON, JSON Lines, Parquet, Arrow and text files, and folders of images or
          audio. Which files belong to which split is said in the metadata of README.md, or by their names.
        </EmptyState>
      )
    default:
      return (
        <Stack gap="sm" maw={560} mx="auto" py={40}>
          <Text fw={600} ta="center">
            The rows are being read
          </Text>
          <Text c="dimmed" ta="center">
            The first rows appear here within seconds, the others as soon as they are converted to Parquet.
          </Text>
          {configs.job_id && <Progress id={configs.job_id} />}
        </Stack>
      )
  }
}

/** The job of a conversion, as far as one may see it. */
function Progress({ id }: { id: string }) {
  const { data } = useQuery(conversionQuery(id))
  if (!data) return null
  return (
    <div>
      <JobProgress job={data} />
      <JobLink id={id} />
    </div>
  )
}

/** Leads to a job, where one may see it. */
function JobLink({ id }: { id: string }) {
  const { data } = useQuery(conversionQuery(id))
  if (!data) return null
  return (
    <Anchor component={Link} to={pages.job(id)} size="sm" underline="always">
      See the job
    </Anchor>
  )
}

interface NoticeProps {
  configs: DatasetConfigs
  config: Config
  /** Left out where the config has none. */
  split: Split | undefined
}

/** What a reader of the table should know: that it is not all there, not up to date, or failed. */
export function Notices({ configs, config, split }: NoticeProps) {
  const notices = [...noticesOf({ configs, config, split })]
  if (notices.length === 0) return null
  return <Stack gap="xs">{notices}</Stack>
}

function* noticesOf({ configs, config, split }: NoticeProps): Generator<ReactNode> {
  const { converted_commit: shown, commit, job_id } = configs
  if (config.status === 'failed' || config.status === 'unsupported')
    yield (
      <Notice key="failed" color="danger" title={`The config ${config.name} cannot be converted`}>
        <Text size="sm">
          {config.problem?.message ?? 'The server says no reason.'} Fix the files, or say in the metadata of
          README.md how they are to be read; the next commit is converted again.
        </Text>
        {job_id && <JobLink id={job_id} />}
      </Notice>
    )
  else if (split?.status === 'failed')
    yield (
      <Notice key="failed" color="danger" title={`The split ${split.name} cannot be converted`}>
        <Text size="sm">{split.problem?.message ?? 'The server says no reason.'}</Text>
        {job_id && <JobLink id={job_id} />}
      </Notice>
    )
  if (split?.status === 'pending' || split?.status === 'converting')
    yield (
      <Notice key="running" color="pending" title="The rows are being converted">
        <Text size="sm">The first rows appear within seconds, the others when the conversion has ended.</Text>
        {job_id && <Progress id={job_id} />}
      </Notice>
    )
  else if (isConverting(configs) && shown !== undefined && shown !== commit)
    yield (
      <Notice key="behind" color="pending" title="A newer version is being converted">
        <Group gap={6}>
          <Text size="sm">These are the rows of commit</Text>
          <Sha sha={shown} label="Copy the commit" />
        </Group>
        {job_id && <Progress id={job_id} />}
      </Notice>
    )
  else if (shown !== undefined && shown !== commit)
    yield (
      <Notice key="behind" color="caution" title="These rows are not of the latest version">
        <Group gap={6}>
          <Text size="sm">Later data files are not converted. These rows are of commit</Text>
          <Sha sha={shown} label="Copy the commit" />
        </Group>
        {job_id && <JobLink id={job_id} />}
      </Notice>
    )
  if (config.warnings.length > 0)
    yield (
      <details key="warnings">
        <Text component="summary" size="sm" c="dimmed" style={{ cursor: 'pointer' }}>
          {config.warnings.length === 1 ? '1 note' : `${config.warnings.length} notes`} on how the files are
          read
        </Text>
        {config.warnings.map((warning) => (
          <Text key={warning} size="sm">
            {warning}
          </Text>
        ))}
      </details>
    )
}

function Notice({ color, title, children }: { color: string; title: string; children: ReactNode }) {
  return (
    <Alert color={color} title={title} py="xs">
      <Stack gap={4}>{children}</Stack>
    </Alert>
  )
}
