import { ActionIcon, Anchor, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useElementSize, useMergedRef } from '@mantine/hooks'
import { IconMinus, IconPlus } from '@tabler/icons-react'
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { useEffect, useRef, useState, type SyntheticEvent } from 'react'
import { flushSync } from 'react-dom'
import { formatSize } from '../../../../lib/format.ts'
import { ErrorState } from '../../../../ui/states.tsx'
import { openPdf } from './open-pdf.ts'
import { PdfPage, type PageSize } from './pdf-page.tsx'
import classes from './pdf.module.css'
import { PasswordInput } from '../../../../ui/password-input.tsx'

interface Arriving {
  state: 'loading'
  loadedBytes: number
  totalBytes: number | undefined
}

interface PdfProps {
  url: string
  name: string
}

type Shown =
  | Arriving
  | { state: 'locked'; isWrong: boolean; give: (password: string) => void }
  | { state: 'ready'; document: PDFDocumentProxy; firstSize: PageSize }
  | { state: 'failed'; error: Error }

const atFirst: Arriving = { state: 'loading', loadedBytes: 0, totalBytes: undefined }

/** A PDF drawn page by page, as it is scrolled through. Nothing in it runs. */
export default function Pdf({ url, name }: PdfProps) {
  const [attempt, setAttempt] = useState(0)
  return <Opened key={attempt} url={url} name={name} onRetry={() => setAttempt(attempt + 1)} />
}

function Opened({ url, name, onRetry }: PdfProps & { onRetry: () => void }) {
  const [shown, setShown] = useState<Shown>(atFirst)
  useEffect(() => {
    const failed = (error: unknown) => setShown({ state: 'failed', error: explained(error) })
    return openPdf(url, {
      progress: (loadedBytes, totalBytes) =>
        setShown((now) => (now.state === 'loading' ? { state: 'loading', loadedBytes, totalBytes } : now)),
      needsPassword: (give, isWrong) => setShown({ state: 'locked', give, isWrong }),
      ready: (document) =>
        void document.getPage(1).then((page) => {
          const { width, height } = page.getViewport({ scale: 1 })
          setShown({ state: 'ready', document, firstSize: { width, height } })
        }, failed),
      failed,
    })
  }, [url])
  if (shown.state === 'ready') return <Pages {...shown} name={name} url={url} />
  return (
    <Stack p="lg" mih="70vh" justify="center">
      {shown.state === 'loading' && <Loading {...shown} />}
      {shown.state === 'locked' && <Locked {...shown} onGiven={() => setShown(atFirst)} />}
      {shown.state === 'failed' && <ErrorState error={shown.error} onRetry={onRetry} />}
    </Stack>
  )
}

/** What pdf.js says of a file is written for programmers. */
function explained(error: unknown): Error {
  const name = error instanceof Error ? error.name : ''
  if (name === 'InvalidPDFException')
    return new Error('This file is no PDF, or it is damaged. Download it to look at it.')
  if (name === 'ResponseException') return new Error('The file could not be fetched. Try again.')
  return error instanceof Error ? error : new Error(String(error))
}

function Loading({ loadedBytes, totalBytes }: Arriving) {
  const part = totalBytes ? Math.min(100, (100 * loadedBytes) / totalBytes) : 0
  return (
    <Stack gap={4} role="status" aria-label="Loading">
      <Progress value={part} aria-label="Loading the PDF" />
      <Text size="xs" c="dimmed" ta="center">
        {loadedBytes > 0 ? `${formatSize(loadedBytes)} of the PDF are here` : 'Opening the PDF'}
      </Text>
    </Stack>
  )
}

interface LockedProps {
  isWrong: boolean
  give: (password: string) => void
  onGiven: () => void
}

/** The password stays in the browser. */
function Locked({ isWrong, give, onGiven }: LockedProps) {
  const [password, setPassword] = useState('')
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    onGiven()
    give(password)
  }
  return (
    <form onSubmit={submit} style={{ width: '100%', maxWidth: 360, margin: '0 auto' }}>
      <Stack gap="sm">
        <PasswordInput
          label="Password of this PDF"
          description="It is used in this browser and sent nowhere."
          autoComplete="off"
          value={password}
          error={isWrong && 'Wrong password. Check it and try again.'}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        <Button type="submit">Open</Button>
      </Stack>
    </form>
  )
}

const zooms = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4]
/** Above this a page is wider than is comfortable to read. */
const widestFit = 900

interface PagesProps extends PdfProps {
  document: PDFDocumentProxy
  firstSize: PageSize
}

function Pages({ document, firstSize, name, url }: PagesProps) {
  const { ref, width: room } = useElementSize<HTMLDivElement>()
  const pages = useRef<HTMLDivElement>(null)
  const measured = useMergedRef(ref, pages)
  const [zoom, setZoom] = useState(1)
  const [current, setCurrent] = useState(1)
  const width = Math.floor(Math.min(room, widestFit) * zoom)
  const at = zooms.indexOf(zoom)
  const zoomTo = (next = zoom) => atSamePlace(pages.current, () => setZoom(next))
  const numbers = Array.from({ length: document.numPages }, (_, i) => i + 1)
  return (
    <section aria-label={name}>
      <div className={classes['bar']}>
        <Text size="sm" aria-live="polite">
          Page {current} of {document.numPages}
        </Text>
        <Group gap={4} ml="auto">
          <ActionIcon
            variant="default"
            aria-label="Zoom out"
            disabled={at === 0}
            onClick={() => zoomTo(zooms[at - 1])}
          >
            <IconMinus size={14} />
          </ActionIcon>
          <Text size="sm" w={48} ta="center">
            {Math.round(zoom * 100)} %
          </Text>
          <ActionIcon
            variant="default"
            aria-label="Zoom in"
            disabled={at === zooms.length - 1}
            onClick={() => zoomTo(zooms[at + 1])}
          >
            <IconPlus size={14} />
          </ActionIcon>
        </Group>
        <Anchor size="sm" href={url} target="_blank" rel="noopener">
          Open in a new tab
        </Anchor>
      </div>
      <div ref={measured} className={classes['pages']} role="group" aria-label="Pages" tabIndex={0}>
        {width > 0 &&
          numbers.map((number) => (
            <PdfPage
              key={number}
              document={document}
              number={number}
              usualSize={firstSize}
              width={width}
              onSeen={setCurrent}
            />
          ))}
      </div>
    </section>
  )
}

/** Changes how wide the pages are; the same place of them stays in the middle of the window. */
function atSamePlace(pages: HTMLElement | null, change: () => void): void {
  const before = pages?.getBoundingClientRect()
  flushSync(change)
  const after = pages?.getBoundingClientRect()
  if (!before || !after) return
  const middle = window.innerHeight / 2
  window.scrollBy(0, after.top + ((middle - before.top) / before.height) * after.height - middle)
}
