import { useEffect, useRef, useState } from 'react'
import type { Attachment } from '../../../../shared/client.ts'
import { problemText } from '../../../lib/form-errors.ts'
import { useRepo } from '../../../lib/repo-context.ts'
import { faultOf } from './image-fault.ts'

/** An image on its way, or one that could not be sent. */
export interface ImageOnItsWay {
  id: number
  file: File
  /** From 0 to 1. */
  part: number
  fault?: string
}

/** Sends images, a few at once; `onSent` is called with each that has arrived. */
export function useImages(onSent: (file: File, image: Attachment) => void) {
  const { address } = useRepo()
  const [images, setImages] = useState<ImageOnItsWay[]>([])
  const cancels = useRef(new Map<number, AbortController>())
  const next = useRef(0)
  const sent = useRef(onSent)
  useEffect(() => {
    sent.current = onSent
  })
  useEffect(() => {
    const running = cancels.current
    return () =>
      running.forEach((cancel) => cancel.abort(new DOMException('The page was left', 'AbortError')))
  }, [])

  const change = (id: number, more: Partial<ImageOnItsWay>) =>
    setImages((now) => now.map((image) => (image.id === id ? { ...image, ...more } : image)))
  const drop = (id: number) => setImages((now) => now.filter((image) => image.id !== id))

  const send = async (id: number, file: File) => {
    const cancel = new AbortController()
    cancels.current.set(id, cancel)
    try {
      const onProgress = (part: number) => change(id, { part })
      const { sendImage } = await import('./send-image.ts')
      cancel.signal.throwIfAborted()
      const image = await sendImage(address, file, { signal: cancel.signal, onProgress })
      drop(id)
      sent.current(file, image)
    } catch (error) {
      if (cancel.signal.aborted) drop(id)
      else change(id, { fault: problemText(error) })
    } finally {
      cancels.current.delete(id)
    }
  }

  return {
    images,
    isSending: images.some(({ fault }) => fault === undefined),
    take(files: File[]) {
      for (const file of files) {
        const id = next.current++
        const fault = faultOf(file)
        setImages((now) => [...now, { id, file, part: 0, ...(fault ? { fault } : {}) }])
        if (!fault) void send(id, file)
      }
    },
    retry(id: number) {
      const image = images.find((each) => each.id === id)
      if (!image || faultOf(image.file)) return
      setImages((now) => now.map((each) => (each.id === id ? { id, file: image.file, part: 0 } : each)))
      void send(id, image.file)
    },
    /** Ends the sending, or takes away what could not be sent. */
    remove(id: number) {
      cancels.current.get(id)?.abort(new DOMException('Cancelled', 'AbortError'))
      drop(id)
    },
  }
}
