import { Button, Group } from '@mantine/core'
import { Link, useLocation } from 'react-router'
import { pages } from '../lib/pages.ts'
import { useMe } from '../lib/session.ts'
import { EmptyState } from '../ui/states.tsx'
import { PageTitle } from '../ui/page-title.tsx'

/** The page for an address that names nothing. */
export function Component() {
  const me = useMe()
  const { pathname, search } = useLocation()
  return (
    <>
      <PageTitle>Not found</PageTitle>
      <EmptyState
        isPage
        picture="search"
        title="Nothing is at this address"
        action={
          <Group>
            {me === null && (
              <Button component={Link} to={pages.login(pathname + search)}>
                Sign in
              </Button>
            )}
            <Button component={Link} to="/" {...(me === null ? { variant: 'default' } : {})}>
              Home
            </Button>
          </Group>
        }
      >
        It may have been moved or deleted, or it may be private: what you may not read looks the same as what
        does not exist.{me === null && ' You are not signed in, so private repos are hidden from you.'}
      </EmptyState>
    </>
  )
}
