import { useState, type ClipboardEvent, type DragEvent } from 'react'

/** Files in what was pasted; a text that comes with a picture of itself, as from a spreadsheet, is meant as text. */
export function pastedFiles({ clipboardData }: ClipboardEvent): File[] {
  return clipboardData.types.includes('text/plain') ? [] : [...clipboardData.files]
}

/** Takes files that are dropped on an element; says whether some are held over it. */
export function useDrop(onFiles: (files: File[]) => void) {
  const [isOver, setIsOver] = useState(false)
  const holdsFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')
  return {
    isOver,
    handlers: {
      onDragOver(event: DragEvent) {
        if (!holdsFiles(event)) return
        event.preventDefault()
        event.dataTransfer.dropEffect = 'copy'
        setIsOver(true)
      },
      onDragLeave(event: DragEvent) {
        const to = event.relatedTarget
        if (!(to instanceof Node && event.currentTarget.contains(to))) setIsOver(false)
      },
      onDrop(event: DragEvent) {
        if (!holdsFiles(event)) return
        event.preventDefault()
        setIsOver(false)
        onFiles([...event.dataTransfer.files])
      },
    },
  }
}
