import { Button, Group } from '@mantine/core'
import { Suspense, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { formatCompact } from '../../lib/format.ts'
import { notifyProblem } from '../../lib/notify.ts'
import { pages } from '../../lib/pages.ts'
import { useMe } from '../../lib/session.ts'
import type { Namespace } from '../../lib/types.ts'
import { late } from '../../ui/late.tsx'
import { useFollow } from './queries.ts'

const loadList = () => import('./follow-list.tsx')
const FollowList = late(loadList)

/** Follows the user or the organisation, and shows who does, and whom a user follows. */
export function Follows({ namespace }: { namespace: Namespace }) {
  const { followers, following } = namespace.counts
  const [shown, setShown] = useState<'followers' | 'following'>()
  const look = { size: 'compact-sm', variant: 'subtle', color: 'gray', onPointerEnter: loadList } as const
  return (
    <>
      <FollowButton namespace={namespace} />
      <Group gap="xs" ml={-8}>
        <Button {...look} onClick={() => setShown('followers')}>
          {formatCompact(followers)} {followers === 1 ? 'follower' : 'followers'}
        </Button>
        {following !== undefined && (
          <Button {...look} onClick={() => setShown('following')}>
            {formatCompact(following)} following
          </Button>
        )}
      </Group>
      <Suspense>
        {shown && <FollowList ns={namespace.ns} list={shown} onClose={() => setShown(undefined)} />}
      </Suspense>
    </>
  )
}

function FollowButton({ namespace: { ns, followed } }: { namespace: Namespace }) {
  const me = useMe()
  const here = useLocation()
  const follow = useFollow(ns)
  if (me?.username === ns) return null
  if (me === null)
    return (
      <Button
        size="xs"
        variant="default"
        title="Sign in to follow"
        component={Link}
        to={pages.login(here.pathname + here.search)}
      >
        Follow
      </Button>
    )
  return (
    <Button
      size="xs"
      variant="default"
      disabled={me === undefined}
      onClick={() => follow.mutate(!followed, { onError: notifyProblem })}
    >
      {followed ? 'Unfollow' : 'Follow'}
    </Button>
  )
}
