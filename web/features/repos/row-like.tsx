import { IconHeart, IconHeartFilled } from '@tabler/icons-react'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { notifyProblem } from '../../lib/notify.ts'
import type { Repo } from '../../lib/types.ts'
import { CountNumber } from '../../ui/facts.tsx'
import classes from './repo-rows.module.css'

/**
 * Likes the repo of a row, or takes the like back. A plain button, since lists carry hundreds. Give it a key of what the
 * server says, which then replaces what was pressed.
 */
export function RowLike({ repo }: { repo: Repo }) {
  const [{ liked, likes }, setStatus] = useState({ liked: repo.liked, likes: repo.likes })
  const [isSending, setIsSending] = useState(false)
  const Icon = liked ? IconHeartFilled : IconHeart
  const press = async () => {
    setIsSending(true)
    const params = { type: `${repo.type}s`, ns: repo.ns, name: repo.name } as const
    try {
      setStatus(await (liked ? api.unlikeRepo({ params }) : api.likeRepo({ params })))
    } catch (error) {
      notifyProblem(error)
    } finally {
      setIsSending(false)
    }
  }
  return (
    <button
      type="button"
      className={classes['like']}
      aria-pressed={liked}
      aria-label={`Like ${repo.full_name}, ${likes} so far`}
      title={liked ? 'Unlike' : 'Like'}
      disabled={isSending}
      onClick={() => void press()}
    >
      <Icon size={13} />
      {likes > 0 && <CountNumber value={likes} />}
    </button>
  )
}
