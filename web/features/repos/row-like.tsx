import { IconHeart, IconHeartFilled } from '@tabler/icons-react'
import { useState } from 'react'
import { notifyProblem } from '../../lib/notify.ts'
import type { LikeStatus, Repo } from '../../lib/types.ts'
import { CountNumber } from '../../ui/facts.tsx'
import { useLike } from './queries.ts'
import classes from './repo-rows.module.css'

/**
 * Likes the repo of a row, or takes the like back. A plain button, since lists carry hundreds. Rows also come from queries
 * that a like does not change, such as pins: there the answer is shown until the row is read again.
 */
export function RowLike({ repo }: { repo: Repo }) {
  const like = useLike({ type: `${repo.type}s`, ns: repo.ns, name: repo.name })
  const [answer, setAnswer] = useState<{ of: Repo; status: LikeStatus }>()
  const { liked, likes } = answer?.of === repo ? answer.status : repo
  const press = () => {
    if (like.isPending) return
    like.mutate(liked, {
      onSuccess: (status) => setAnswer({ of: repo, status }),
      onError: notifyProblem,
    })
  }
  const Icon = liked ? IconHeartFilled : IconHeart
  return (
    <button
      type="button"
      className={classes['like']}
      aria-pressed={liked}
      aria-label={`Like ${repo.full_name}, ${likes} so far`}
      title={liked ? 'Unlike' : 'Like'}
      onClick={press}
    >
      <Icon size={13} />
      {likes > 0 && <CountNumber value={likes} />}
    </button>
  )
}
