import { Button } from '@mantine/core'
import { IconTag } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { late } from '../../../ui/late.tsx'

const LabelManager = late(() => import('./label-manager.tsx'))

/** Opens the labels of the repo, for those who may change them. */
export function ManageLabels() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconTag size={14} />}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        Labels
      </Button>
      <Suspense>{isOpen && <LabelManager onClose={() => setIsOpen(false)} />}</Suspense>
    </>
  )
}
