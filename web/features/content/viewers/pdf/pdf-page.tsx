import { useEffect, useRef, useState } from 'react'
import { TextLayer, type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import classes from './pdf.module.css'

/** A canvas of more pixels takes more than 64 MB; browsers refuse it at four times as many. */
const maxCanvasPixels = 16 * 2 ** 20

/** Width and height of a page, in points of 1/72 inch. */
export interface PageSize {
  width: number
  height: number
}

interface PdfPageProps {
  document: PDFDocumentProxy
  /** From 1. */
  number: number
  /** What to take for its size until it is read. */
  usualSize: PageSize
  /** CSS pixels it is wide. */
  width: number
  /** It is now what most of the view shows. */
  onSeen: (number: number) => void
}

/** One page: drawn while it is near the view, its text over it to be selected and read aloud. */
export function PdfPage({ document, number, usualSize, width, onSeen }: PdfPageProps) {
  const frame = useRef<HTMLDivElement>(null)
  const [isNear, setIsNear] = useState(false)
  const [page, setPage] = useState<PDFPageProxy>()
  const [isBroken, setIsBroken] = useState(false)

  useEffect(() => {
    const element = frame.current
    if (!element) return
    const near = new IntersectionObserver(([entry]) => setIsNear(entry?.isIntersecting ?? false), {
      rootMargin: '800px 0px',
    })
    // The line in the middle of the window is on one page at a time.
    const seen = new IntersectionObserver(([entry]) => entry?.isIntersecting && onSeen(number), {
      rootMargin: '-50% 0px -50% 0px',
    })
    near.observe(element)
    seen.observe(element)
    return () => {
      near.disconnect()
      seen.disconnect()
    }
  }, [number, onSeen])

  useEffect(() => {
    if (!isNear || page) return
    let isWanted = true
    document.getPage(number).then(
      (read) => isWanted && setPage(read),
      () => isWanted && setIsBroken(true),
    )
    return () => {
      isWanted = false
    }
  }, [document, isNear, number, page])

  const size = page ? page.getViewport({ scale: 1 }) : usualSize
  const height = Math.round((width * size.height) / size.width)
  return (
    <div
      ref={frame}
      role="group"
      aria-label={`Page ${number} of ${document.numPages}`}
      data-page={number}
      className={classes['page']}
      style={{ width, height }}
    >
      {isBroken && <p className={classes['broken']}>This page cannot be read.</p>}
      {page && isNear && !isBroken && <Drawing page={page} width={width} onFault={setIsBroken} />}
    </div>
  )
}

/** What is on a page. */
function Drawing({
  page,
  width,
  onFault,
}: {
  page: PDFPageProxy
  width: number
  onFault: (isBroken: true) => void
}) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const text = useRef<HTMLDivElement>(null)
  const [isDrawn, setIsDrawn] = useState(false)

  useEffect(() => {
    if (!canvas.current || !text.current) return
    const scale = width / page.getViewport({ scale: 1 }).width
    const viewport = page.getViewport({ scale })
    const pixels = Math.min(
      window.devicePixelRatio,
      Math.sqrt(maxCanvasPixels / (viewport.width * viewport.height)),
    )
    const target = canvas.current
    target.width = Math.floor(viewport.width * pixels)
    target.height = Math.floor(viewport.height * pixels)
    const task = page.render({ canvas: target, viewport, transform: [pixels, 0, 0, pixels, 0, 0] })
    const container = text.current
    container.replaceChildren()
    container.style.setProperty('--total-scale-factor', String(scale))
    const words = new TextLayer({ textContentSource: page.streamTextContent(), container, viewport })
    let isWanted = true
    task.promise.then(
      () => isWanted && setIsDrawn(true),
      () => isWanted && onFault(true),
    )
    // A page whose text cannot be read is still a picture.
    words.render().catch(() => undefined)
    return () => {
      isWanted = false
      task.cancel()
      words.cancel()
    }
  }, [page, width, onFault])

  return (
    <>
      <canvas ref={canvas} aria-hidden data-drawn={isDrawn || undefined} />
      <div ref={text} className={classes['text']} />
    </>
  )
}
