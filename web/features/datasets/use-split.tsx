import { useRepo } from '../../lib/repo-context.ts'
import { CommandTabs } from '../../ui/commands/command-tabs.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { Split } from './queries.ts'
import { splitSnippets } from './split-snippets.ts'

interface UseSplitProps {
  config: string
  split: Split
  onClose: () => void
}

/** How to load a split elsewhere. */
export function UseSplit({ config, split, onClose }: UseSplitProps) {
  const { repo, address } = useRepo()
  const files = split.parquet_files.length
  const isClosed = repo.visibility === 'private' || repo.gated !== false
  const at = { ...address, config, split: split.name, files, isClosed }
  const commands = splitSnippets(at, location.origin).filter(({ id }) => id === 'datasets' || files > 0)
  return (
    <Dialog onClose={onClose} title={`Use ${config} / ${split.name}`} size="xl">
      <CommandTabs label="Libraries" commands={commands} />
    </Dialog>
  )
}
