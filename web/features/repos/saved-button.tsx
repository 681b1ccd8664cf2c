import { Button, type ButtonProps } from '@mantine/core'
import { IconBookmark } from '@tabler/icons-react'
import type { ComponentPropsWithRef } from 'react'

/** Opens the menu of saved searches, and says how many there are of this list. */
export function SavedButton({
  count,
  ...props
}: { count: number } & ButtonProps & ComponentPropsWithRef<'button'>) {
  return (
    <Button size="xs" variant="default" leftSection={<IconBookmark size={14} />} {...props}>
      Saved{count > 0 && ` · ${count}`}
    </Button>
  )
}
