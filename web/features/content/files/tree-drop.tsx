import { Suspense, useEffect, useState } from 'react'
import { useCommitWays } from '../../../lib/commit-ways.ts'
import { notifyProblem } from '../../../lib/notify.ts'
import { late } from '../../../ui/late.tsx'

const DropOverlay = late(() => import('./drop-overlay.tsx'))

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false

/** Files that are dragged over a folder's page can be dropped anywhere on it. */
export function TreeDrop({ rev, path }: { rev: string; path: string }) {
  const canCommit = useCommitWays(rev).length > 0
  const [isDragged, setIsDragged] = useState(false)
  useEffect(() => {
    if (!canCommit) return
    // Each element that the pointer comes to is entered before the one before it is left. One that is removed is never left.
    const entered = new Set<Node>()
    const move = (event: DragEvent, change: 'add' | 'delete') => {
      if (!hasFiles(event)) return
      if (event.target instanceof Node) entered[change](event.target)
      setIsDragged([...entered].some((one) => one.isConnected))
    }
    const enter = (event: DragEvent) => move(event, 'add')
    const leave = (event: DragEvent) => move(event, 'delete')
    // Until the overlay is there, the browser would open what is dropped in place of the page.
    const hold = (event: DragEvent) => hasFiles(event) && event.preventDefault()
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return
      if (!event.defaultPrevented)
        notifyProblem(new Error('The page was not ready yet. Drop the files again.'))
      event.preventDefault()
      entered.clear()
      setIsDragged(false)
    }
    window.addEventListener('dragenter', enter)
    window.addEventListener('dragleave', leave)
    window.addEventListener('dragover', hold)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragenter', enter)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('dragover', hold)
      window.removeEventListener('drop', drop)
    }
  }, [canCommit])
  return <Suspense>{canCommit && isDragged && <DropOverlay rev={rev} path={path} />}</Suspense>
}
