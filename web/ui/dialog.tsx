import { Alert, Button, Group, Modal, Text, type ModalProps } from '@mantine/core'
import { useState } from 'react'
import { useFocusGivenBack } from '../lib/focus-given-back.ts'
import { useTopmost } from '../lib/topmost.ts'
import { countUnsaved } from '../lib/unsaved.ts'

type DialogProps = Omit<ModalProps, 'opened' | 'returnFocus'>

// Without it screen readers announce a part of the page inside the dialog.
const attributes = { header: { role: 'presentation' } }

/**
 * A dialog that is open as long as it is mounted. What had the focus before has it again afterwards. Escape and a press
 * beside it ask first where something was written in it ({@link useUnsaved}).
 */
export function Dialog({ onClose, children, ...props }: DialogProps) {
  const [before] = useState(countUnsaved)
  const [isAsking, setIsAsking] = useState(false)
  useFocusGivenBack()
  const isTopmost = useTopmost()
  const close = () => {
    if (!isTopmost()) return
    if (countUnsaved() > before) setIsAsking(true)
    else onClose()
  }
  return (
    // The component's own way to give the focus back wants to see it open and close, and here it does neither.
    <Modal {...props} opened returnFocus={false} lockScroll={false} onClose={close} attributes={attributes}>
      {isAsking && <Question onStay={() => setIsAsking(false)} onClose={onClose} />}
      {children}
    </Modal>
  )
}

function Question({ onStay, onClose }: { onStay: () => void; onClose: () => void }) {
  useFocusGivenBack()
  return (
    <Alert color="caution" title="Close without saving?" mb="md">
      <Text size="sm">What you have written here would be lost.</Text>
      <Group gap="xs" mt="xs">
        <Button size="xs" autoFocus onClick={onStay}>
          Keep writing
        </Button>
        <Button size="xs" variant="default" onClick={onClose}>
          Close
        </Button>
      </Group>
    </Alert>
  )
}
