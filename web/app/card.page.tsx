import { lazy, Suspense } from 'react'
import { CardPage } from '../features/content/card.page.tsx'
import { useRepo } from '../lib/repo-context.ts'

const Preview = lazy(() => import('../features/datasets/preview.tsx'))

/** A repo's first page; that of a dataset begins with its first rows. */
export function Component() {
  const { repo } = useRepo()
  const hasRows = repo.type === 'dataset' && repo.formats.length > 0
  return (
    <CardPage
      above={
        hasRows && (
          <Suspense>
            <Preview />
          </Suspense>
        )
      }
    />
  )
}
