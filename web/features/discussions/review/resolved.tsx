import { Anchor, Text } from '@mantine/core'
import { IconMessageCheck } from '@tabler/icons-react'
import { useState } from 'react'
import type { DiscussionEvent } from '../../../lib/types.ts'
import frame from '../../../ui/ui.module.css'
import classes from '../discussions.module.css'
import { linesText } from './lines-text.ts'

/** Whether a thread is shown: one that is resolved only when that is asked for. */
export function useIsOpen(isResolved: boolean, isWanted = false) {
  const [shown, setShown] = useState({ isResolved, isWanted, isOpen: !isResolved || isWanted })
  // One that is resolved here is folded; one that is reopened, or that a link leads to, is shown.
  if (shown.isResolved !== isResolved) setShown({ isResolved, isWanted, isOpen: !isResolved })
  else if (shown.isWanted !== isWanted) setShown({ isResolved, isWanted, isOpen: shown.isOpen || isWanted })
  const setIsOpen = (isOpen: boolean) => setShown({ isResolved, isWanted, isOpen })
  return [shown.isOpen, setIsOpen] as const
}

interface ResolvedProps {
  comments: DiscussionEvent[]
  isOpen: boolean
  onToggle: () => void
}

/** What stands in place of what was resolved, or above it while it is shown. */
export function Resolved({ comments, isOpen, onToggle }: ResolvedProps) {
  const [first] = comments
  if (!first?.place) return null
  const { author, place } = first
  const more = comments.length > 1 ? ` and ${comments.length - 1} more` : ''
  return (
    <div className={`${frame['raised']} ${classes['resolved']}`} id={isOpen ? undefined : first.id}>
      <IconMessageCheck size={15} aria-hidden />
      <Text size="sm" c="dimmed" component="div" className={classes['said'] ?? ''}>
        {author?.username ?? 'a deleted account'}
        {more} on {place.path}, {linesText(place).toLowerCase()}: resolved
      </Text>
      <Anchor component="button" type="button" size="sm" aria-expanded={isOpen} onClick={onToggle}>
        {isOpen ? 'Hide resolved' : 'Show resolved'}
      </Anchor>
    </div>
  )
}
