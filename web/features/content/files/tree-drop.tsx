import { Suspense, useEffect, useState } from 'react'
import { useCommitWays } from '../../../lib/commit-ways.ts'
import { late } from '../../../ui/late.tsx'

const DropOverlay = late(() => import('./drop-overlay.tsx'))

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false

/** Files that are dragged over a folder's page can be dropped anywhere on it. */
export function TreeDrop({ rev, path }: { rev: string; path: string }) {
  const canCommit = useCommitWays(rev).length > 0
  const [isWanted, setIsWanted] = useState(false)
  useEffect(() => {
    if (!canCommit) return
    const want = (event: DragEvent) => hasFiles(event) && setIsWanted(true)
    // Until the overlay is there, the browser would open what is dropped in place of the page.
    const hold = (event: DragEvent) => hasFiles(event) && event.preventDefault()
    window.addEventListener('dragenter', want)
    window.addEventListener('dragover', hold)
    window.addEventListener('drop', hold)
    return () => {
      window.removeEventListener('dragenter', want)
      window.removeEventListener('dragover', hold)
      window.removeEventListener('drop', hold)
    }
  }, [canCommit])
  return <Suspense>{canCommit && isWanted && <DropOverlay rev={rev} path={path} />}</Suspense>
}
