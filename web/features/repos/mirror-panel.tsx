import { Alert, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mirrorTrackings, type MirrorTracking } from '../../../shared/vocabulary.ts'
import { notifyProblem } from '../../lib/notify.ts'
import type { RepoAddress } from '../../lib/types.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Section } from '../../ui/section.tsx'
import { MirrorFacts } from './mirror-facts.tsx'
import {
  mirrorQuery,
  useDetachMirror,
  useSyncMirror,
  useUpdateMirror,
  type Mirror,
} from './mirror-queries.ts'

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
