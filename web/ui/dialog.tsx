import { Modal, type ModalProps } from '@mantine/core'
import { useEffect } from 'react'

/** A dialog that is open as long as it is mounted. What had the focus before has it again afterwards. */
export function Dialog(props: Omit<ModalProps, 'opened' | 'returnFocus'>) {
  useFocusGivenBack()
  // The component's own way to give the focus back wants to see it open and close, and here it does neither.
  return <Modal {...props} opened returnFocus={false} />
}

/** Gives the focus back, when what took it is gone, to what had it when this was mounted. */
export function useFocusGivenBack(): void {
  useEffect(() => {
    const before = document.activeElement
    return () => {
      if (document.activeElement !== null && document.activeElement !== document.body) return
      const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body
      const target = isThere ? before : document.getElementById('main')
      target?.focus({ preventScroll: true })
    }
  }, [])
}
