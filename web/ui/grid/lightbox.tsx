import { Anchor } from '@mantine/core'
import { Dialog } from '../dialog.tsx'
import classes from './value.module.css'

/** A picture as large as the window. */
export function Lightbox({ src, onClose }: { src: string; onClose: () => void }) {
  return (
    <Dialog
      onClose={onClose}
      size="auto"
      centered
      title={
        <Anchor href={src} target="_blank" rel="noreferrer" size="sm">
          Open the file
        </Anchor>
      }
    >
      <img className={classes['large']} src={src} alt="" />
    </Dialog>
  )
}
