import { Alert, Badge, Button, Group, NativeSelect, Stack, Table, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mirrorTrackings, type MirrorTracking } from '../../../shared/vocabulary.ts'
import { notifyProblem } from '../../lib/notify.ts'
import type { RepoAddress } from '../../lib/types.ts'
import { Size, TimeAgo } from '../../ui/facts.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Section } from '../../ui/section.tsx'
import {
  mirrorQuery,
  useDetachMirror,
  useSyncMirror,
  useUpdateMirror,
  type Mirror,
} from './mirror-queries.ts'

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

/** Where a mirror comes from, how it follows, and what its admins can do. */
export function MirrorPanel({ address }: { address: RepoAddress }) {
  const query = useQuery(mirrorQuery(address))
  return (
    <Section title="Mirror" note="This repo follows a repo of another hub and is read-only.">
      <Loaded query={query}>
        {(mirror) => (
          <Stack gap="sm">
            <MirrorFacts mirror={mirror} />
            {mirror.error && (
              <Alert color="danger" title="The last sync failed">
                {mirror.error.message}
              </Alert>
            )}
            {mirror.state !== 'detached' && <MirrorForm mirror={mirror} address={address} />}
          </Stack>
        )}
      </Loaded>
    </Section>
  )
}

const madeHere: [string, string] = ['Commit ids', 'Made here, because the upstream has no git.']
const MOST_EARLIER = 5

const earlier = ({ previous }: Mirror): [string, React.ReactNode] => [
  'Earlier',
  <Stack key="e" gap={2}>
    {previous.slice(0, MOST_EARLIER).map(({ commit, synced_at }) => (
      <span key={commit}>
        {commit.slice(0, 12)} <TimeAgo time={synced_at} />
      </span>
    ))}
  </Stack>,
]

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

function MirrorFacts({ mirror }: { mirror: Mirror }) {
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
    ['Commit', (mirror.local_commit ?? '–').slice(0, 12) + (mirror.behind ? ', behind the upstream' : '')],
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
  return (
    <Table withRowBorders={false} verticalSpacing={4} horizontalSpacing={0} w="auto">
      <Table.Tbody>
        {rows.map(([label, value]) => (
          <Table.Tr key={label}>
            <Table.Th w={110} fw={500} c="dimmed">
              {label}
            </Table.Th>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

const trackingTexts: Record<MirrorTracking, string> = {
  follow: 'Follow the revision',
  pinned: 'Stay at this commit',
  manual: 'Sync when asked',
}

function MirrorForm({ mirror, address }: { mirror: Mirror; address: RepoAddress }) {
  const update = useUpdateMirror(address)
  const sync = useSyncMirror(address)
  const detach = useDetachMirror(address)
  const [schedule, setSchedule] = useState(mirror.schedule ?? '')
  const [isSure, setIsSure] = useState(false)
  const whenFailed = { onError: notifyProblem }
  return (
    <Stack gap="sm">
      <Group gap="sm" align="flex-end">
        <NativeSelect
          label="Tracking"
          data={mirrorTrackings.map((value) => ({ value, label: trackingTexts[value] }))}
          value={mirror.tracking}
          onChange={({ currentTarget }) =>
            update.mutate({ tracking: currentTarget.value as MirrorTracking }, whenFailed)
          }
        />
        {mirror.tracking === 'follow' && (
          <>
            <TextInput
              label="Schedule"
              placeholder="once a day"
              value={schedule}
              onChange={({ currentTarget }) => setSchedule(currentTarget.value)}
            />
            <Button
              variant="default"
              loading={update.isPending}
              disabled={schedule === (mirror.schedule ?? '')}
              onClick={() => update.mutate({ schedule: schedule || null }, whenFailed)}
            >
              Save
            </Button>
          </>
        )}
      </Group>
      {mirror.tracking === 'follow' && (
        <Text size="xs" c="dimmed">
          Five fields of cron, such as 30 2 * * *.
        </Text>
      )}
      <Group gap="sm">
        <Button loading={sync.isPending} onClick={() => sync.mutate(undefined, whenFailed)}>
          Sync now
        </Button>
        {isSure ? (
          <>
            <Button
              color="danger"
              loading={detach.isPending}
              onClick={() => detach.mutate(undefined, whenFailed)}
            >
              Yes, detach it
            </Button>
            <Button variant="default" onClick={() => setIsSure(false)}>
              Keep the mirror
            </Button>
          </>
        ) : (
          <Button variant="default" onClick={() => setIsSure(true)}>
            Detach
          </Button>
        )}
      </Group>
      {isSure && (
        <Text size="sm">
          A detached mirror becomes an ordinary repo and no longer syncs. Files that were never pulled stay
          missing.
        </Text>
      )}
    </Stack>
  )
}
