import { Skeleton } from '@mantine/core'
import { Suspense, type ComponentProps } from 'react'
import { CardPage } from '../features/content/card.page.tsx'
import { isMirror, useRepo } from '../lib/repo-context.ts'
import { late } from '../ui/late.tsx'

const MirrorStrip = late(() => import('../features/repos/mirror-strip.tsx'))
const Preview = late(() => import('../features/datasets/preview.tsx'))

/** Pixels of the first rows with their head, so that the card does not move when their code comes. */
const previewHeight = 247

/** A repo's first page; that of a mirror says of what, that of a dataset begins with its first rows. */
export function Component({ Text }: Pick<ComponentProps<typeof CardPage>, 'Text'>) {
  const { repo } = useRepo()
  const hasRows = repo.type === 'dataset' && repo.formats.length > 0
  return (
    <CardPage
      Text={Text}
      above={
        <>
          {isMirror(repo) && (
            <Suspense>
              <MirrorStrip />
            </Suspense>
          )}
          {hasRows && (
            <Suspense fallback={<Skeleton height={previewHeight} mb={24} />}>
              <Preview />
            </Suspense>
          )}
        </>
      }
    />
  )
}
