import { Button } from '@mantine/core'
import { IconFolderPlus } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useRepo } from '../../lib/repo-context.ts'
import { iconOnPhones } from '../../ui/icon-on-phones.tsx'
import { late } from '../../ui/late.tsx'

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
        {...iconOnPhones('Collections', <IconFolderPlus size={14} />)}
        onPointerEnter={() => void loadDialog()}
        onClick={() => setIsOpen(true)}
      />
      <Suspense>{isOpen && <CollectDialog repo={repo} onClose={() => setIsOpen(false)} />}</Suspense>
    </>
  )
}
