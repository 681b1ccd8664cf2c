import { NativeSelect, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatSize } from '../../lib/format.ts'
import { quantsQuery } from '../../lib/repo-queries.ts'
import type { Repo } from '../../lib/types.ts'
import { CommandTabs } from '../../ui/commands/command-tabs.tsx'
import { usualQuant } from '../../ui/commands/quants.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ListSkeleton } from '../../ui/states.tsx'
import { snippets } from './snippets.ts'

/** How to get the repo with the tools that can use it. */
export default function UseDialog({ repo, onClose }: { repo: Repo; onClose: () => void }) {
  const isModel = repo.type === 'model'
  // A repo that shows its files to others only has commands as well, without quants.
  const { data, isPending } = useQuery({ ...quantsQuery(repo), enabled: isModel, retry: false })
  const groups = data?.groups ?? []
  const [picked, setPicked] = useState<string>()
  const quant = groups.find(({ name }) => name === picked) ?? usualQuant(groups)
  return (
    <Dialog onClose={onClose} title={`Use ${repo.full_name}`} size="lg">
      {isModel && isPending ? (
        <ListSkeleton />
      ) : (
        <Stack gap="md">
          {groups.length > 1 && (
            <NativeSelect
              label="Quant"
              value={quant?.name ?? ''}
              data={groups.map(({ name, size_bytes }) => ({
                value: name,
                label: `${name} · ${formatSize(size_bytes)}`,
              }))}
              onChange={({ currentTarget }) => setPicked(currentTarget.value)}
            />
          )}
          <CommandTabs label="Tools" commands={snippets({ repo, origin: location.origin, quant })} />
        </Stack>
      )}
    </Dialog>
  )
}
