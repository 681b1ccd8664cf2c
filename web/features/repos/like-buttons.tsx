import { Button } from '@mantine/core'
import { IconHeart, IconHeartFilled } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { formatCompact } from '../../lib/format.ts'
import { notifyProblem } from '../../lib/notify.ts'
import { pages } from '../../lib/pages.ts'
import { useMe } from '../../lib/session.ts'
import type { Repo, RepoAddress } from '../../lib/types.ts'
import { iconOnPhones } from '../../ui/icon-on-phones.tsx'
import { late } from '../../ui/late.tsx'
import { useLike } from './queries.ts'

const loadLikers = () => import('./likers.tsx')
const Likers = late(loadLikers)

/** Likes the repo, and shows who does. */
export function LikeButtons({ repo, address }: { repo: Repo; address: RepoAddress }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Button.Group>
      <LikeButton repo={repo} address={address} />
      <Button
        size="xs"
        variant="default"
        aria-label={`${repo.likes === 1 ? '1 person likes' : `${formatCompact(repo.likes)} people like`} this: show them`}
        onPointerEnter={() => void loadLikers()}
        onClick={() => setIsOpen(true)}
      >
        {formatCompact(repo.likes)}
      </Button>
      <Suspense>{isOpen && <Likers address={address} onClose={() => setIsOpen(false)} />}</Suspense>
    </Button.Group>
  )
}

function LikeButton({ repo, address }: { repo: Repo; address: RepoAddress }) {
  const me = useMe()
  const here = useLocation()
  const like = useLike(address)
  const Icon = repo.liked ? IconHeartFilled : IconHeart
  const look = {
    ...iconOnPhones('Like', <Icon size={14} />),
    'aria-label': `Like, ${repo.likes} so far`,
    size: 'xs',
    variant: 'default',
  } as const
  if (me === null)
    return (
      <Button
        {...look}
        title="Sign in to like"
        component={Link}
        to={pages.login(here.pathname + here.search)}
      />
    )
  return (
    <Button
      {...look}
      title={repo.liked ? 'Unlike' : 'Like'}
      aria-pressed={repo.liked}
      disabled={me === undefined}
      onClick={() => like.mutate(repo.liked, { onError: notifyProblem })}
    />
  )
}
