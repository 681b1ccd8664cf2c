import { Alert, Button, Code, Group, Stack, Table, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifyDone, notifyProblem } from '../../../lib/notify.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { TimeAgo } from '../../../ui/facts.tsx'
import { Mark } from '../../../ui/mark.tsx'
import { RowTable } from '../../../ui/row-table.tsx'
import { Section } from '../../../ui/section.tsx'
import { Figures } from '../figures.tsx'
import { FindingMark } from '../finding-mark.tsx'
import { EditUpstream } from './form.tsx'
import { useCheckUpstream, useDeleteUpstream, type Upstream } from './queries.ts'

interface UpstreamCardProps {
  upstream: Upstream
  /** When the server said this of it. */
  askedAtMs: number
}

/** One upstream: where it is, whether it answers, and what an admin can do with it. */
export function UpstreamCard({ upstream, askedAtMs }: UpstreamCardProps) {
  const { id, name, base_url, viewer_url, namespace_prefix, enabled, configured } = upstream
  return (
    <Section
      title={name}
      label={`${name} (${id})`}
      aside={
        <Group gap={6}>
          <Mark>{configured ? 'from the configuration' : 'added by an admin'}</Mark>
          <Mark {...(enabled ? { color: 'safe' } : {})}>{enabled ? 'enabled' : 'disabled'}</Mark>
        </Group>
      }
    >
      <Figures
        rows={[
          ['Id', <Mono key="id">{id}</Mono>],
          ['Address', <Mono key="address">{base_url}</Mono>],
          ['Dataset viewer', <Mono key="viewer">{viewer_url}</Mono>],
          [
            'Namespaces of its mirrors',
            namespace_prefix ? <Mono key="prefix">{`${namespace_prefix}…`}</Mono> : 'keep their names',
          ],
          ['Token of this server', upstream.has_instance_token ? 'set' : 'none'],
        ]}
      />
      <Health upstream={upstream} askedAtMs={askedAtMs} />
      {configured && (
        <Text size="sm" c="dimmed">
          Read-only here. To change it, set the keys <Code>{`upstreams.${id}.*`}</Code> of the configuration
          and restart the server.
        </Text>
      )}
      <Actions upstream={upstream} />
    </Section>
  )
}

function Mono({ children }: { children: string }) {
  return (
    <Text span ff="monospace" size="sm" style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  )
}

const checks = { reachable: 'Connection', token: 'Token', git: 'Git', limit: 'Limit', clock: 'Clock' }

/** What the last check found, the failures first. */
function Health({ upstream, askedAtMs }: UpstreamCardProps) {
  const { healthy, checked_at, findings = [], paused_until } = upstream
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600} role="status">
        {checked_at ? (
          <>
            {healthy ? 'It works' : 'It does not work'}, checked <TimeAgo time={checked_at} />
          </>
        ) : (
          'Not checked yet'
        )}
      </Text>
      {paused_until && Date.parse(paused_until) > askedAtMs && (
        <Alert color="caution">
          It limits requests: this server asks it again <TimeAgo time={paused_until} />.
        </Alert>
      )}
      {findings.length > 0 && (
        <RowTable columns={[['Result', 120], ['Check', 160], 'Finding']}>
          {findings
            .toSorted((a, b) => Number(a.ok) - Number(b.ok))
            .map(({ name, ok, message }) => (
              <Table.Tr key={name}>
                <Table.Td>
                  <FindingMark status={ok ? 'ok' : 'fail'} />
                </Table.Td>
                <Table.Td data-label="Check">{checks[name]}</Table.Td>
                <Table.Td data-label="Finding" style={{ overflowWrap: 'anywhere' }}>
                  {message}
                </Table.Td>
              </Table.Tr>
            ))}
        </RowTable>
      )}
    </Stack>
  )
}

function Actions({ upstream }: { upstream: Upstream }) {
  const { id, name, configured } = upstream
  const check = useCheckUpstream(id)
  const [isEditing, edit] = useDisclosure(false)
  const [isDeleting, remove] = useDisclosure(false)
  return (
    <Group gap="xs">
      <Button
        size="xs"
        variant="default"
        aria-label={`Check now: ${name}`}
        loading={check.isPending}
        onClick={() => check.mutate(undefined, { onError: notifyProblem })}
      >
        Check now
      </Button>
      {!configured && (
        <>
          <Button size="xs" variant="default" aria-label={`Edit ${name}`} onClick={edit.open}>
            Edit
          </Button>
          <Button
            size="xs"
            variant="outline"
            color="danger"
            aria-label={`Delete ${name}`}
            onClick={remove.open}
          >
            Delete
          </Button>
        </>
      )}
      {isEditing && <EditUpstream upstream={upstream} onClose={edit.close} />}
      {isDeleting && <DeleteUpstream upstream={upstream} onClose={remove.close} />}
    </Group>
  )
}

function DeleteUpstream({ upstream: { id, name }, onClose }: { upstream: Upstream; onClose: () => void }) {
  const remove = useDeleteUpstream(id)
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        notifyDone(`${name} deleted`)
        onClose()
      },
      onError: notifyProblem,
    })
  return (
    <Dialog onClose={onClose} title={`Delete ${name}`}>
      <Stack gap="sm">
        <Text size="sm">
          Its mirrors stay, with all files that are here, but they no longer sync. The tokens that people have
          saved for it are deleted.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Keep it
          </Button>
          <Button color="danger" loading={remove.isPending} onClick={confirm}>
            Delete upstream
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
