import { Anchor, Group, Skeleton, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { ViewerFirstRows } from '../../../shared/viewer.ts'
import { formatCompact, formatExact, formatRows } from '../../lib/format.ts'
import { pages } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import { Cell } from '../../ui/grid/cell.tsx'
import { isTall, kindOf, typeName } from '../../ui/grid/feature-types.ts'
import { valueAt } from '../../ui/grid/row-values.ts'
import frame from '../../ui/ui.module.css'
import classes from './preview.module.css'
import {
  configsQuery,
  firstRowsQuery,
  isConverting,
  validityQuery,
  type Config,
  type Split,
} from './queries.ts'

/** The first rows of the default split, above the card. Its height is known before, so that the card does not move. */
export default function Preview() {
  const { repo, address } = useRepo()
  const { data: configs, isPending } = useQuery(configsQuery(address))
  const config = configs?.configs.find((one) => one.default) ?? configs?.configs[0]
  const split = config?.splits[0]
  const version = `${configs?.converted_commit ?? configs?.commit}:${split?.status ?? ''}`
  const at = { address, config: config?.name ?? '', split: split?.name ?? '', version }
  const isUnfinished = configs !== undefined && isConverting(configs)
  // What was not read yet is not asked for.
  const isKnown = split !== undefined && (split.rows !== undefined || config?.features.length !== 0)
  const validity = useQuery({ ...validityQuery(at, isUnfinished), enabled: isKnown })
  const rows = useQuery({ ...firstRowsQuery(at), enabled: validity.data?.preview ?? false })
  const isAwaited = isPending || (isKnown && validity.isPending) || (rows.isPending && rows.isFetching)
  if (!isAwaited && !rows.data && !isUnfinished) return null
  return (
    <section className={`${frame['frame']} ${classes['preview']}`} aria-label="First rows">
      <div className={frame['frameHead']}>
        <Group gap="sm">
          <Title order={2} size="h3">
            Rows
          </Title>
          {configs && config && split && (
            <Text size="xs" c="dimmed">
              {splitText(configs.configs, config, split)}
            </Text>
          )}
        </Group>
        <Anchor component={Link} to={pages.viewer(repo)} size="sm" underline="always">
          Open the viewer
        </Anchor>
      </div>
      <div className={classes['body']}>
        {rows.data ? (
          <FirstRows page={rows.data} />
        ) : isAwaited ? (
          <Skeleton height={210} radius={0} />
        ) : (
          <Text c="dimmed" size="sm" p="md">
            The rows are being read. They appear here within seconds.
          </Text>
        )}
      </div>
    </section>
  )
}

/** Which split it is, and what else there is. */
function splitText(configs: Config[], config: Config, split: Split): string {
  const splits = config.splits.length
  return [
    `${config.name} / ${split.name}`,
    split.rows !== undefined && formatRows(split.rows, formatExact),
    split.status === 'partial' && split.estimated_rows && `of about ${formatCompact(split.estimated_rows)}`,
    splits > 1 && `${splits} splits`,
    configs.length > 1 && `${configs.length} configs`,
  ]
    .filter(Boolean)
    .join(' · ')
}

const shownRows = 5
const shownTallRows = 2
/** More columns are in the viewer. */
const shownColumns = 12

function FirstRows({ page }: { page: ViewerFirstRows }) {
  const columns = page.features.slice(0, shownColumns).map((one) => ({ ...one, kind: kindOf(one.type) }))
  const rows = page.rows.slice(0, columns.some(({ type }) => isTall(type)) ? shownTallRows : shownRows)
  return (
    <div className={classes['scroll']} tabIndex={0} role="group" aria-label="First rows, scrollable">
      <table className={classes['table']}>
        <thead>
          <tr>
            {columns.map(({ name, type }) => (
              <th key={name} scope="col">
                <div className={classes['name']}>{name}</div>
                <div className={classes['type']}>{typeName(type)}</div>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.row_idx}>
              {columns.map((column) => (
                <td key={column.name} data-kind={column.kind}>
                  <div className={classes['cell']}>
                    <Cell
                      column={column}
                      value={valueAt(row, column.name)}
                      isCut={row.truncated_cells.includes(column.name)}
                    />
                  </div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
