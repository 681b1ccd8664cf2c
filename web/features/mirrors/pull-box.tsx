import { Alert, Button, Checkbox, NativeSelect, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { ApiProblem } from '../../../shared/client.ts'
import { formatSize } from '../../lib/format.ts'
import { pages } from '../../lib/pages.ts'
import type { Me } from '../../lib/types.ts'
import { Section } from '../../ui/section.tsx'
import { bytesToCome, largeFilesOf, selectionOf } from './choice.ts'
import { useCreatePull, type DiscoverAddress, type FoundDetail, type PullCreate } from './queries.ts'

/** The place where a mirror keeps the upstream's name. */
const UPSTREAM_NAME = ''

interface PullBoxProps {
  me: Me
  address: DiscoverAddress
  found: FoundDetail
  chosen: ReadonlySet<string>
}

/** What a pull of the chosen files brings, and where it goes. */
export function PullBox({ me, address, found, chosen }: PullBoxProps) {
  const navigate = useNavigate()
  const create = useCreatePull()
  const [place, setPlace] = useState(UPSTREAM_NAME)
  const [withBases, setWithBases] = useState(false)
  const large = largeFilesOf(found)
  const selection = selectionOf(large, chosen, found.configs)
  const bytes = bytesToCome(large, chosen)
  const lack = lackOf(found, bytes)
  const hasBases = found.dependencies.some(({ kind }) => kind === 'base_model' || kind === 'adapter_base')
  const places = [me.username, ...me.orgs.filter(({ role }) => role !== 'read').map(({ ns }) => ns)]
  const pull = () => {
    if (!selection) return
    const body: PullCreate = {
      upstream: address.upstream,
      type: found.type,
      repo: found.id,
      selection,
      ...(address.rev ? { revision: address.rev } : {}),
      ...(place ? { target_ns: place } : {}),
      ...(withBases ? { with_dependencies: { base_models: true } } : {}),
    }
    create.mutate(body, { onSuccess: (job) => void navigate(pages.job(job.id)) })
  }
  return (
    <Section title="Pull">
      <Stack gap="sm">
        <Text size="sm" aria-live="polite">
          {chosen.size} of {large.length} large {large.length === 1 ? 'file' : 'files'}, {formatSize(bytes)}{' '}
          to fetch.
        </Text>
        <Room found={found} />
        {lack && <Alert color="danger">{lack}</Alert>}
        {!selection && (
          <Alert color="caution">
            The choice is too long to be sent. Choose up to 200 files, or leave out up to 200.
          </Alert>
        )}
        {create.error && <Alert color="danger">{messageOf(create.error)}</Alert>}
        <NativeSelect
          label="Place"
          description="Under its own name, clients find it by changing the host alone."
          data={[{ value: UPSTREAM_NAME, label: 'Its own name' }, ...places]}
          value={place}
          onChange={(event) => setPlace(event.currentTarget.value)}
        />
        {hasBases && (
          <Checkbox
            label="Base models too"
            checked={withBases}
            onChange={(event) => setWithBases(event.currentTarget.checked)}
          />
        )}
        <Button
          loading={create.isPending}
          disabled={!selection || !found.readable || lack !== undefined}
          onClick={pull}
        >
          Pull
        </Button>
      </Stack>
    </Section>
  )
}

function Room({ found: { free_bytes, quota_left } }: { found: FoundDetail }) {
  const words = [
    ...(free_bytes === undefined ? [] : [`${formatSize(free_bytes)} free on the disk`]),
    ...(quota_left === undefined ? [] : [`${formatSize(quota_left)} left of the quota`]),
  ]
  if (words.length === 0) return null
  return (
    <Text size="sm" c="dimmed">
      {words.join(', ')}.
    </Text>
  )
}

function lackOf({ free_bytes, quota_left }: FoundDetail, bytes: number): string | undefined {
  if (free_bytes !== undefined && bytes > free_bytes) return 'The disk has no room for the chosen files.'
  if (quota_left !== undefined && bytes > quota_left) return 'The quota has no room for the chosen files.'
  return undefined
}

const messageOf = (error: unknown) =>
  error instanceof ApiProblem ? (error.detail ?? error.title) : 'The pull could not be started. Try again.'
