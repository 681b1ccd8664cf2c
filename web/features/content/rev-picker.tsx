import { Box, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconChevronDown, IconGitBranch, IconGitCommit, IconTag } from '@tabler/icons-react'
import { Suspense, useRef } from 'react'
import { useRepo } from '../../lib/repo-context.ts'
import { refsQuery } from '../../lib/repo-queries.ts'
import classes from '../../ui/ui.module.css'
import { late } from '../../ui/late.tsx'
import { fetchAtRest, useOpening } from '../../ui/use-opening.ts'
import contentClasses from './content.module.css'
import { isSha, revName } from './rev-name.ts'
import type { RevPickerProps } from './rev-popover.tsx'

const loadPopover = () => import('./rev-popover.tsx')
const RevPopover = late(loadPopover)

/** The revision that a page shows; opens the branches, tags and pull requests to look at instead. */
export function RevPicker({ rev, pageAt }: RevPickerProps) {
  const { address } = useRepo()
  const refs = useQuery(refsQuery(address)).data
  const { isOpen, setIsOpen, isDrawn } = useOpening()
  const opener = useRef<HTMLButtonElement>(null)
  const isTag = refs?.tags.some((tag) => tag.name === rev)
  const Icon = isSha(rev) ? IconGitCommit : isTag ? IconTag : IconGitBranch
  return (
    <Box pos="relative">
      <Button
        ref={opener}
        size="xs"
        variant="default"
        leftSection={<Icon size={14} />}
        rightSection={<IconChevronDown size={14} />}
        ff="monospace"
        aria-label={`Revision ${rev}`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerEnter={() => fetchAtRest(loadPopover)}
        onFocus={() => fetchAtRest(loadPopover)}
        onBlur={() => isDrawn || setIsOpen(false)}
        onClick={() => setIsOpen(!isOpen)}
      >
        {revName(rev)}
      </Button>
      {isOpen && !isDrawn && (
        // Where the popover will be.
        <div className={`${classes['frame']} ${contentClasses['awaitedRevisions']}`} />
      )}
      <Suspense>
        {isDrawn && <RevPopover rev={rev} pageAt={pageAt} onClose={() => setIsOpen(false)} opener={opener} />}
      </Suspense>
    </Box>
  )
}
