import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconChevronDown, IconGitBranch, IconGitCommit, IconTag } from '@tabler/icons-react'
import { startTransition, Suspense, useState } from 'react'
import { useRepo } from '../../lib/repo-context.ts'
import { refsQuery } from '../../lib/repo-queries.ts'
import { late } from '../../ui/late.tsx'
import type { RevPickerProps } from './rev-popover.tsx'

const loadPopover = () => import('./rev-popover.tsx')
const RevPopover = late(loadPopover)

/** The revision that a page shows; opens the branches, tags and pull requests to look at instead. */
export function RevPicker({ rev, pageAt }: RevPickerProps) {
  const { address } = useRepo()
  const refs = useQuery(refsQuery(address)).data
  const [isWanted, setIsWanted] = useState(false)
  const isSha = /^[0-9a-f]{40}$/.test(rev)
  const isTag = refs?.tags.some((tag) => tag.name === rev)
  const Icon = isSha ? IconGitCommit : isTag ? IconTag : IconGitBranch
  const look = {
    size: 'xs',
    variant: 'default',
    leftSection: <Icon size={14} />,
    rightSection: <IconChevronDown size={14} />,
    ff: 'monospace',
    children: isSha ? rev.slice(0, 8) : rev,
  } as const
  const button = (
    <Button
      {...look}
      aria-label={`Revision ${rev}`}
      onPointerEnter={() => void loadPopover()}
      onFocus={() => void loadPopover()}
      onClick={() => startTransition(() => setIsWanted(true))}
    />
  )
  if (!isWanted) return button
  return (
    <Suspense fallback={button}>
      <RevPopover rev={rev} pageAt={pageAt} {...look} />
    </Suspense>
  )
}
