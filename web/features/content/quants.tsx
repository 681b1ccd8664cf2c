import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { quantsQuery } from '../../lib/repo-queries.ts'
import type { Repo } from '../../lib/types.ts'
import { CommandTabs } from '../../ui/commands/command-tabs.tsx'
import { quantCommands, usualQuant } from '../../ui/commands/quants.ts'
import { CountNumber, Size } from '../../ui/facts.tsx'

/** Quants that are shown without being asked for. */
const shownAtFirst = 8

interface QuantsProps {
  repo: Repo
  /** Stands there until they are known. */
  space: ReactNode
}

/** The GGUF files of a model by quant, each with its size, and the command that runs the chosen one. */
export default function Quants({ repo, space }: QuantsProps) {
  const { data, isPending } = useQuery({ ...quantsQuery(repo), retry: false })
  const [picked, setPicked] = useState<string>()
  const [isOpen, setIsOpen] = useState(false)
  if (isPending) return space
  const groups = data?.groups ?? []
  const quant = groups.find(({ name }) => name === picked) ?? usualQuant(groups)
  if (!quant) return null
  const rows = Math.max(shownAtFirst, groups.indexOf(quant) + 1)
  const shown = isOpen ? groups : groups.slice(0, rows)
  const isClosed = repo.visibility === 'private' || repo.gated !== false
  const commands = quantCommands(quant, repo.full_name, location.origin)
  return (
    <Stack gap={6} component="section" aria-label="Quants">
      <Group justify="space-between">
        <Title order={2} fz="sm">
          Quants
        </Title>
        <Text size="sm">
          <CountNumber value={groups.length} />
        </Text>
      </Group>
      <Stack gap={2}>
        {shown.map(({ name, size_bytes }) => (
          <Button
            key={name}
            size="compact-sm"
            {...(name === quant.name ? { variant: 'light' } : { variant: 'subtle', color: 'gray' })}
            justify="space-between"
            fullWidth
            fw={400}
            ff="monospace"
            aria-pressed={name === quant.name}
            rightSection={
              <Text size="xs" c="dimmed" component="span">
                <Size bytes={size_bytes} />
              </Text>
            }
            onClick={() => setPicked(name)}
          >
            {name}
          </Button>
        ))}
        {shown.length < groups.length && (
          <Button size="compact-sm" variant="subtle" justify="start" onClick={() => setIsOpen(true)}>
            All {groups.length} quants
          </Button>
        )}
      </Stack>
      <CommandTabs
        label="Run it"
        wraps
        commands={isClosed ? commands : commands.map(({ before: _before, ...command }) => command)}
      />
    </Stack>
  )
}
