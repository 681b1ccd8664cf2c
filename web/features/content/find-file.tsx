import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFileSearch } from '@tabler/icons-react'
import { Suspense } from 'react'
import { useSingleKeys } from '../../lib/single-keys.ts'
import { late } from '../../ui/late.tsx'

const FileFinder = late(() => import('./file-finder.tsx'))

/** Opens the file finder by button or `t`; its state stays here, so that opening it renders no list of files again. */
export function FindFile({ rev, isHidden = false }: { rev: string; isHidden?: boolean }) {
  const [isOpen, { open, close }] = useDisclosure(false)
  useSingleKeys([['t', open]])
  return (
    <>
      {!isHidden && (
        <Button size="xs" variant="default" leftSection={<IconFileSearch size={14} />} onClick={open}>
          Find
        </Button>
      )}
      <Suspense>{isOpen && <FileFinder rev={rev} onClose={close} />}</Suspense>
    </>
  )
}
