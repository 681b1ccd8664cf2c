import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { EmptyState } from '../ui/states.tsx'

/** The page for an address that names nothing. */
export function Component() {
  return (
    <>
      <title>Not found · Arsenal</title>
      <EmptyState
        isPage
        title="Nothing is at this address"
        action={
          <Button component={Link} to="/">
            Home
          </Button>
        }
      >
        It may have been moved or deleted, or it may be private: what you may not read looks the same as what
        does not exist.
      </EmptyState>
    </>
  )
}
