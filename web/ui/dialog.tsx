import { Modal, type ModalProps } from '@mantine/core'
import { useFocusGivenBack } from '../lib/focus-given-back.ts'

/** A dialog that is open as long as it is mounted. What had the focus before has it again afterwards. */
export function Dialog(props: Omit<ModalProps, 'opened' | 'returnFocus'>) {
  useFocusGivenBack()
  // The component's own way to give the focus back wants to see it open and close, and here it does neither.
  return <Modal {...props} opened returnFocus={false} />
}
