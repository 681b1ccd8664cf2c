import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useRepo } from '../../lib/repo-context.ts'
import { TimeAgo } from '../../ui/facts.tsx'
import frame from '../../ui/ui.module.css'
import { MirrorFacts, standingText } from './mirror-facts.tsx'
import { mirrorQuery } from './mirror-queries.ts'

/** On the first page of a mirror: of what, at which commit, how far behind; all facts and syncs when asked. */
export default function MirrorStrip() {
  const { address } = useRepo()
  const { data: mirror } = useQuery(mirrorQuery(address))
  const [isOpen, setIsOpen] = useState(false)
  const factsId = useId()
  if (!mirror) return null
  return (
    <Stack component="section" aria-label="Mirror" className={frame['frame'] ?? ''} p="sm" mb="md" gap="sm">
      <Group justify="space-between" gap="xs">
        <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
          Mirror of {mirror.repo} at {mirror.upstream}, at commit {standingText(mirror)}
          {mirror.last_sync_at && (
            <>
              , synced <TimeAgo time={mirror.last_sync_at} />
            </>
          )}
          .
        </Text>
        <Button
          size="compact-xs"
          variant="default"
          aria-expanded={isOpen}
          aria-controls={factsId}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? 'Hide' : 'Details and syncs'}
        </Button>
      </Group>
      <div id={factsId} hidden={!isOpen}>
        {isOpen && <MirrorFacts mirror={mirror} />}
      </div>
    </Stack>
  )
}
