import {
  getDocument,
  PasswordResponses,
  PDFWorker,
  type PDFDocumentProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import workerUrl from './pdf.worker.ts?worker&url'
import { PdfResources } from './resources.ts'

/** Larger images in a document are left out: 64 million pixels take 256 MB of memory. */
const maxImagePixels = 64 * 2 ** 20

export interface PdfEvents {
  /** Bytes that have arrived, of all where the server says how many. */
  progress(loadedBytes: number, totalBytes: number | undefined): void
  /** The document is locked. */
  needsPassword(give: (password: string) => void, isWrong: boolean): void
  ready(document: PDFDocumentProxy): void
  failed(error: unknown): void
}

/**
 * Reads a PDF by ranges, in a worker of its own. No script in it runs: pdf.js runs none without its sandbox, forms are not
 * built, and fonts are drawn without `eval`. Answers what ends it, which frees the worker and stops all requests.
 */
export function openPdf(url: string, events: PdfEvents): () => void {
  const port = new Worker(workerUrl, { type: 'module' })
  const worker = PDFWorker.create({ port })
  const task = getDocument({
    url,
    worker,
    BinaryDataFactory: PdfResources,
    cMapUrl: 'cmaps/',
    cMapPacked: true,
    standardFontDataUrl: 'standard_fonts/',
    useWorkerFetch: false,
    // A document looks alike on every machine.
    useSystemFonts: false,
    // The policy of our pages allows no WebAssembly; JPEG 2000 images alone need it.
    useWasm: false,
    isEvalSupported: false,
    enableXfa: false,
    maxImageSize: maxImagePixels,
    // Pages are read as they are looked at.
    disableAutoFetch: true,
    disableStream: true,
  })
  let isOpen = true
  task.onProgress = ({ loaded, total }: { loaded: number; total?: number }) => {
    if (isOpen) events.progress(loaded, total)
  }
  task.onPassword = (give: (password: string) => void, reason: number) => {
    if (isOpen) events.needsPassword(give, reason === PasswordResponses.INCORRECT_PASSWORD)
  }
  task.promise.then(
    (document) => isOpen && events.ready(document),
    (error: unknown) => isOpen && events.failed(error),
  )
  return () => {
    isOpen = false
    void task.destroy().finally(() => {
      worker.destroy()
      port.terminate()
    })
  }
}
