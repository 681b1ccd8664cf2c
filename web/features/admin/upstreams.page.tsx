import { Button, Code, Group, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Loaded } from '../../ui/loaded.tsx'
import { Section } from '../../ui/section.tsx'
import { UpstreamCard } from './upstreams/card.tsx'
import { NewUpstream } from './upstreams/form.tsx'
import { adminUpstreamsQuery } from './upstreams/queries.ts'

/** `/admin/upstreams`: the hubs that this server can read, and whether they answer. */
export function Component() {
  const query = useQuery(adminUpstreamsQuery)
  const [isMaking, { open, close }] = useDisclosure(false)
  return (
    <>
      <Group justify="space-between" mb="xs" gap="sm">
        <Title order={1}>Upstreams</Title>
        <Button onClick={open}>Add an upstream</Button>
      </Group>
      <Text size="sm" mb="md">
        Other hubs that this server reads. People find their repos on Discover, and pull them from there.
      </Text>
      <Loaded query={query}>
        {({ items }) => (
          <Stack gap="md">
            {items.map((upstream) => (
              <UpstreamCard key={upstream.id} upstream={upstream} askedAtMs={query.dataUpdatedAt} />
            ))}
            {items.every(({ configured }) => configured) && (
              <Section title="No admin has added an upstream yet">
                <Text size="sm" c="dimmed">
                  Add another hub that people need: a partner’s, or another Arsenal. The configuration can
                  define some too, with the keys <Code>upstreams.*</Code>.
                </Text>
              </Section>
            )}
          </Stack>
        )}
      </Loaded>
      {isMaking && <NewUpstream onClose={close} />}
    </>
  )
}
