import { Button } from '@mantine/core'
import { IconFolderPlus } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useRepo } from '../../lib/repo-context.ts'

const loadDialog = () => import('./collect-dialog.tsx')
const CollectDialog = lazy(loadDialog)

/** Opens the Collections that a Repo is in or could be put into. */
export function CollectButton() {
  const { repo } = useRepo()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconFolderPlus size={14} />}
        onPointerEnter={() => void loadDialog()}
        onClick={() => setIsOpen(true)}
      >
        Collections
      </Button>
      <Suspense>{isOpen && <CollectDialog repo={repo} onClose={() => setIsOpen(false)} />}</Suspense>
    </>
  )
}
