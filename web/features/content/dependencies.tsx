import { SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { RepoAddress } from '../../lib/types.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Section } from '../../ui/section.tsx'
import { NeedLine, RepoLine } from './need.tsx'
import { dependenciesQuery, type Dependencies } from './queries.ts'

type User = Dependencies['needed_by'][number]

const uses: Record<User['kind'], string> = {
  base_model: 'Made from it',
  adapter_base: 'Adapter of it',
  code: 'Runs its code',
  tokenizer: 'Uses its tokenizer',
  backbone: 'Has it as backbone',
  dataset: 'Trained on it',
}

const derived: Record<NonNullable<User['relation']>, string> = {
  adapter: 'Adapter',
  finetune: 'Finetune',
  merge: 'Merge',
  quantized: 'Quantization',
}

/** Which repos a repo needs, and which of this server need it. */
export function DependencyLists({ address }: { address: RepoAddress }) {
  const query = useQuery(dependenciesQuery(address))
  return (
    <Section title="Dependencies" note="By its card and its configuration files.">
      <Loaded query={query}>
        {({ needs, needed_by: users }) => (
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
            <Part title="Needs" none="No other repo.">
              {needs.map((need) => (
                <NeedLine key={keyOf(need)} need={need} />
              ))}
            </Part>
            <Part title="Needed by" none="No repo on this server.">
              {users.map((user) => (
                <RepoLine key={keyOf(user)} what={roleOf(user)} repo={user.repo} />
              ))}
            </Part>
          </SimpleGrid>
        )}
      </Loaded>
    </Section>
  )
}

const keyOf = ({ kind, repo }: User) => `${kind} ${repo.type} ${repo.ns}/${repo.name}`

const roleOf = ({ kind, relation }: User) => (relation ? derived[relation] : uses[kind])

function Part({ title, none, children }: { title: string; none: string; children: ReactNode[] }) {
  return (
    <Stack gap={6} component="section" aria-label={title}>
      <Title order={3} size="sm">
        {title}
      </Title>
      {children.length > 0 ? (
        children
      ) : (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      )}
    </Stack>
  )
}
