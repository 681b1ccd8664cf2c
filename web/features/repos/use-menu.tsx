import { Button } from '@mantine/core'
import { IconCode } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import type { Repo } from '../../lib/types.ts'
import { late } from '../../ui/late.tsx'

const loadDialog = () => import('./use-dialog.tsx')
const UseDialog = late(loadDialog)

/** Opens the commands that fetch the repo. */
export function UseMenu({ repo }: { repo: Repo }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        size="xs"
        leftSection={<IconCode size={14} />}
        onPointerEnter={() => void loadDialog()}
        onClick={() => setIsOpen(true)}
      >
        Use this {repo.type}
      </Button>
      <Suspense>{isOpen && <UseDialog repo={repo} onClose={() => setIsOpen(false)} />}</Suspense>
    </>
  )
}
