import { Badge } from '@mantine/core'
import { FactTable } from '../../ui/fact-table.tsx'
import { Size, TimeAgo } from '../../ui/facts.tsx'
import { MirrorHistory } from './mirror-history.tsx'
import type { Mirror } from './mirror-queries.ts'

const colors: Record<Mirror['state'], string> = {
  idle: 'safe',
  queued: 'pending',
  syncing: 'accent',
  failed: 'danger',
  upstream_gone: 'caution',
  detached: 'gray',
}

const stateTexts: Record<Mirror['state'], string> = {
  idle: 'up to date',
  queued: 'queued',
  syncing: 'syncing',
  failed: 'failed',
  upstream_gone: 'gone at the upstream',
  detached: 'detached',
}

const earlier = ({ previous }: Mirror): [string, React.ReactNode] => [
  'Earlier',
  <MirrorHistory key="e" previous={previous} />,
]

/** At which commit a mirror is, and how far behind its upstream. */
export function standingText({ local_commit, behind, behind_by }: Mirror): string {
  const at = (local_commit ?? '–').slice(0, 12)
  if (!behind) return at
  if (behind_by === undefined) return `${at}, behind the upstream`
  return `${at}, ${behind_by === 1 ? '1 commit' : `${behind_by} commits`} behind the upstream`
}

const madeHere: [string, string] = ['Commit ids', 'Made here, because the upstream has no git.']
/** Which large files the mirror holds, in words. */
function selectionText({ all, include, exclude, quants, configs, splits }: Mirror['selection']): string {
  const parts = [
    all ? 'all large files' : '',
    named('quant', quants),
    named('config', configs),
    named('split', splits),
    include?.join(', ') ?? '',
  ].filter(Boolean)
  if (parts.length === 0) return exclude?.length ? `all but ${exclude.join(', ')}` : 'no large files'
  return parts.join('; ') + (exclude?.length ? ` but ${exclude.join(', ')}` : '')
}

const named = (noun: string, names: readonly string[] = []) =>
  names.length === 0 ? '' : `${noun}${names.length === 1 ? '' : 's'} ${names.join(', ')}`

/** What a mirror is of, how far it is, and what was synced before. */
export function MirrorFacts({ mirror }: { mirror: Mirror }) {
  const rows: [string, React.ReactNode][] = [
    ['From', `${mirror.repo} at ${mirror.upstream}`],
    ['Revision', mirror.revision],
    ['Selection', selectionText(mirror.selection)],
    [
      'State',
      <Badge key="s" variant="light" size="sm" color={colors[mirror.state]}>
        {stateTexts[mirror.state]}
      </Badge>,
    ],
    ['Commit', standingText(mirror)],
    ...(mirror.fidelity === 'snapshot' ? [madeHere] : []),
    ['Last sync', mirror.last_sync_at ? <TimeAgo key="l" time={mirror.last_sync_at} /> : '–'],
    ['Next sync', mirror.next_sync_at ? <TimeAgo key="n" time={mirror.next_sync_at} /> : 'when asked'],
    [
      'Large files',
      <span key="b">
        <Size bytes={mirror.bytes_present} /> of <Size bytes={mirror.bytes_total} /> here
      </span>,
    ],
    ...(mirror.previous.length > 0 ? [earlier(mirror)] : []),
  ]
  return <FactTable rows={rows} />
}
