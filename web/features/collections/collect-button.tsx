import { Box, Button } from '@mantine/core'
import { IconFolderPlus } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useRepo } from '../../lib/repo-context.ts'
import { late } from '../../ui/late.tsx'
import classes from '../../ui/ui.module.css'

const loadDialog = () => import('./collect-dialog.tsx')
const CollectDialog = late(loadDialog)

/** Opens the collections that a repo is in or could be put into. */
export function CollectButton() {
  const { repo } = useRepo()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconFolderPlus size={14} />}
        aria-label="Collections"
        title="Collections"
        classNames={{ section: classes['loneIcon'] ?? '' }}
        onPointerEnter={() => void loadDialog()}
        onClick={() => setIsOpen(true)}
      >
        <Box component="span" visibleFrom="xs">
          Collections
        </Box>
      </Button>
      <Suspense>{isOpen && <CollectDialog repo={repo} onClose={() => setIsOpen(false)} />}</Suspense>
    </>
  )
}
