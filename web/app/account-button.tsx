import { Button, Skeleton, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { Suspense, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { pages } from '../lib/pages.ts'
import type { Me } from '../lib/types.ts'
import { AvatarPicture } from '../ui/avatar-picture.tsx'
import { late } from '../ui/late.tsx'

const loadMenu = () => import('./account-menu.tsx')
const AccountMenu = late(loadMenu)

interface AccountButtonProps {
  me: Me | null | undefined
  onKeys: () => void
}

/** Opens the person's own places, fetched when a pointer or the focus comes near; the sign-in link for anonymous visitors. */
export function AccountButton({ me, onKeys }: AccountButtonProps) {
  const here = useLocation()
  const [isWanted, setIsWanted] = useState(false)
  if (me === undefined) return <Skeleton height={28} width={28} animate={false} aria-hidden />
  if (me === null)
    return (
      <Button size="xs" component={Link} to={pages.login(here.pathname + here.search)}>
        Sign in
      </Button>
    )
  const face = (
    <>
      <AvatarPicture ns={me.username} size={28} />
      <VisuallyHidden>Account of {me.username}</VisuallyHidden>
    </>
  )

  const button = (
    <UnstyledButton
      aria-haspopup="menu"
      bdrs="md"
      onPointerEnter={() => void loadMenu()}
      onFocus={() => void loadMenu()}
      onClick={() => setIsWanted(true)}
    >
      {face}
    </UnstyledButton>
  )
  if (!isWanted) return button
  return (
    <Suspense fallback={button}>
      <AccountMenu me={me} face={face} onKeys={onKeys} />
    </Suspense>
  )
}
