import { Anchor, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { segmentsBelowRepo } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { EmptyState, PageSkeleton } from '../../ui/states.tsx'
import { NoConfigs, Notices } from './conversion.tsx'
import classes from './datasets.module.css'
import { Pickers } from './pickers.tsx'
import { configsQuery, isConverting, validityQuery, type DatasetConfigs } from './queries.ts'
import { SplitTable } from './split-table.tsx'

interface ViewerProps {
  /** The address of a config and split in this frame. */
  pageOf: (config: string, split: string) => string
  /** Segments of the address before those of config and split. */
  skip: number
  /** What stands beside the pickers. */
  aside?: ReactNode
}

/** The rows of a dataset, by config and split. */
export function Viewer(props: ViewerProps) {
  const { address } = useRepo()
  const query = useQuery(configsQuery(address))
  return (
    <Loaded query={query} skeleton={<PageSkeleton />}>
      {(configs) => <Picked {...props} configs={configs} />}
    </Loaded>
  )
}

function Picked({ configs, pageOf, skip, aside }: ViewerProps & { configs: DatasetConfigs }) {
  const { address } = useRepo()
  const [configName, splitName] = segmentsBelowRepo(useLocation().pathname).slice(skip)
  const { configs: all, converted_commit, commit } = configs
  const config =
    configName === undefined
      ? (all.find((one) => one.default) ?? all[0])
      : all.find(({ name }) => name === configName)
  const split =
    splitName === undefined ? config?.splits[0] : config?.splits.find(({ name }) => name === splitName)
  const version = `${converted_commit ?? commit}:${split?.status ?? ''}`
  const at = useMemo(
    () => ({ address, config: config?.name ?? '', split: split?.name ?? '', version }),
    [address, config?.name, split?.name, version],
  )
  // What was not read yet is not asked for.
  const isKnown = split !== undefined && (split.rows !== undefined || config?.features.length !== 0)
  const validity = useQuery({ ...validityQuery(at, isConverting(configs)), enabled: isKnown })
  const isOff = configs.status === 'disabled' || configs.status === 'missing_files'
  if (all.length === 0 || (isOff && split?.rows === undefined)) return <NoConfigs configs={configs} />
  const pickers = config && (
    <>
      {aside}
      <Pickers configs={configs} config={config} split={split} pageOf={pageOf} />
    </>
  )
  if (!config || (!split && config.splits.length > 0)) {
    const [first] = all
    const names = (config ? config.splits : all).map(({ name }) => name).join(', ')
    return (
      <EmptyState
        picture="table"
        title={config ? `There is no split ${splitName}` : `There is no config ${configName}`}
        action={
          first && (
            <Anchor component={Link} to={pageOf(first.name, first.splits[0]?.name ?? '')} underline="always">
              Show the rows
            </Anchor>
          )
        }
      >
        {config ? `The splits of the config ${config.name} are: ` : 'The configs of this dataset are: '}
        {names}
      </EmptyState>
    )
  }
  if (!split)
    return (
      <Stack gap="xs">
        <Group gap="xs">{pickers}</Group>
        <Notices configs={configs} config={config} split={undefined} />
      </Stack>
    )
  return (
    <Stack gap="xs" className={classes['viewer'] ?? ''}>
      <Notices configs={configs} config={config} split={split} />
      {isKnown ? (
        <Loaded query={validity} skeleton={<PageSkeleton />}>
          {(valid) =>
            valid.viewer || valid.preview ? (
              <SplitTable
                key={JSON.stringify([at, valid.viewer])}
                at={at}
                config={config}
                split={split}
                validity={valid}
                pickers={pickers}
              />
            ) : (
              <Group gap="xs">{pickers}</Group>
            )
          }
        </Loaded>
      ) : (
        <Group gap="xs">{pickers}</Group>
      )}
    </Stack>
  )
}
