import { IconMoodPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { reactions, type Reaction } from '../../../shared/vocabulary.ts'
import { useRepo } from '../../lib/repo-context.ts'
import type { DiscussionEvent } from '../../lib/types.ts'
import classes from './discussions.module.css'
import { useReact } from './queries.ts'
import { useRights } from './rights.ts'

const faces: Record<Reaction, string> = {
  thumbs_up: '👍',
  thumbs_down: '👎',
  laugh: '😄',
  hooray: '🎉',
  confused: '😕',
  heart: '❤️',
  rocket: '🚀',
  eyes: '👀',
}

const wordsOf = (reaction: Reaction) => reaction.replace('_', ' ')

/** Reactions to a comment, and a way to add one. */
export function Reactions({ num, event }: { num: number; event: DiscussionEvent }) {
  const { address } = useRepo()
  const { canSpeak } = useRights()
  const [isChoosing, setIsChoosing] = useState(false)
  const react = useReact(address, num)
  const { reactions: given = [] } = event
  if (given.length === 0 && !canSpeak) return null
  const toggle = (reaction: Reaction) => {
    setIsChoosing(false)
    const isMine = given.some((each) => each.reaction === reaction && each.is_mine)
    react.mutate({ id: event.id, reaction, isWanted: !isMine })
  }
  return (
    <div className={classes['reactions']} role="group" aria-label="Reactions">
      {given.map(({ reaction, count, is_mine }) => (
        <button
          key={reaction}
          type="button"
          disabled={!canSpeak}
          aria-pressed={is_mine}
          aria-label={`${wordsOf(reaction)}, ${count}`}
          title={wordsOf(reaction)}
          onClick={() => toggle(reaction)}
        >
          <span aria-hidden>{faces[reaction]}</span> {count}
        </button>
      ))}
      {canSpeak && (
        <button
          type="button"
          aria-label="React to this comment"
          aria-expanded={isChoosing}
          title="React"
          onClick={() => setIsChoosing(!isChoosing)}
        >
          <IconMoodPlus size={15} />
        </button>
      )}
      {isChoosing &&
        reactions
          .filter((reaction) => !given.some((each) => each.reaction === reaction))
          .map((reaction) => (
            <button
              key={reaction}
              type="button"
              data-choice
              aria-label={wordsOf(reaction)}
              title={wordsOf(reaction)}
              onClick={() => toggle(reaction)}
            >
              {faces[reaction]}
            </button>
          ))}
    </div>
  )
}
