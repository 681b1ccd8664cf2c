import { Container } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { meQuery } from '../lib/session.ts'
import type { Me } from '../lib/types.ts'
import { ErrorState, PageLoading, SignInState } from './states.tsx'

/** A page for people with an account: others are asked to sign in, and see why when the server does not answer. */
export function SignedIn({ children }: { children: (me: Me) => ReactNode }) {
  const { data: me, isError, error, refetch } = useQuery(meQuery)
  const here = useLocation()
  if (me) return children(me)
  if (me === null) return <SignInState next={here.pathname + here.search} />
  if (!isError) return <PageLoading />
  return (
    <Container size={1280} py="lg">
      <ErrorState error={error} onRetry={() => void refetch()} />
    </Container>
  )
}
