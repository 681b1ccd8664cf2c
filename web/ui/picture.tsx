import { Suspense } from 'react'
import type { Illustration } from './illustrations.tsx'
import { late } from './late.tsx'

/** Keeps the room of a picture that is not there yet, or cannot be fetched. */
const Room = (_: { of: Illustration }) => <div style={{ height: 96 }} />

const Drawing = late(() => import('./illustrations.tsx'), Room)

/** A small picture above what an empty list says. Few pages are empty: it is fetched when it is shown. */
export function Picture({ of }: { of: Illustration }) {
  return (
    <Suspense fallback={<Room of={of} />}>
      <Drawing of={of} />
    </Suspense>
  )
}
