import { Button } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import type { RepoAddress } from '../../lib/types.ts'
import { iconOnPhones } from '../../ui/icon-on-phones.tsx'
import { late } from '../../ui/late.tsx'

const load = () => import('./watch-dialog.tsx')
const WatchDialog = late(load)

/** Opens the choice of which news of a repo one wants. */
export function WatchButton({ address }: { address: RepoAddress }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        size="xs"
        variant="default"
        {...iconOnPhones('Watch', <IconBell size={14} />)}
        onPointerEnter={() => void load()}
        onClick={() => setIsOpen(true)}
      />
      <Suspense>{isOpen && <WatchDialog address={address} onClose={() => setIsOpen(false)} />}</Suspense>
    </>
  )
}
