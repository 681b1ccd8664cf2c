import { Box, Group, Stack, Text, Textarea, VisuallyHidden } from '@mantine/core'
import { Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Attachment } from '../../../shared/client.ts'
import { late } from '../../ui/late.tsx'
import { ListSkeleton } from '../../ui/states.tsx'
import { pastedFiles, useDrop } from './attach/dropped.ts'
import { altOf, withImage } from './attach/markdown.ts'
import { PickImages } from './attach/pick-images.tsx'
import { useImages } from './attach/use-images.ts'
import { useCompletion, type Completion } from './complete/use-completion.tsx'
import classes from './discussions.module.css'

const CommentText = late(() => import('./comment-text.tsx'))
const ImageList = late(() => import('./attach/image-list.tsx'))

const modes = ['Write', 'Preview'] as const

interface CommentEditorProps {
  label: string
  text: string
  onChange: (text: string) => void
  /** Called by Ctrl+Enter or Cmd+Enter, unless an image is still on its way. */
  onSubmit: () => void
  /** Says whether an image is on its way, which the text does not name yet. */
  onBusy: (isBusy: boolean) => void
  error?: string | undefined
  minRows?: number
  isFocused?: boolean
}

/** A place to write Markdown, to put images into it, and to see what becomes of it. */
export function CommentEditor({ onBusy, ...props }: CommentEditorProps) {
  const { label, text } = props
  const [mode, setMode] = useState<(typeof modes)[number]>('Write')
  const { setField, take, images, said } = useImagesIn(props)
  useEffect(() => onBusy(images.isSending), [images.isSending, onBusy])
  const { isOver, handlers } = useDrop(take)
  return (
    <Stack gap={6} {...handlers} className={isOver ? classes['dropHere'] : undefined}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={500} aria-hidden>
          {label}
        </Text>
        <div className={classes['modes']} role="group" aria-label={`${label}: write or preview`}>
          {modes.map((each) => (
            <button key={each} type="button" aria-pressed={each === mode} onClick={() => setMode(each)}>
              {each}
            </button>
          ))}
        </div>
      </Group>
      {mode === 'Write' ? (
        <Writing {...props} setField={setField} onImages={take} isBusy={images.isSending} />
      ) : (
        <Preview text={text} />
      )}
      {images.images.length > 0 && (
        <Suspense fallback={<ListSkeleton rows={1} />}>
          <ImageList images={images.images} onRemove={images.remove} onRetry={images.retry} />
        </Suspense>
      )}
      <PickImages onFiles={take} />
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </Stack>
  )
}

/** Images that are sent and put into the text, where the caret is when they have arrived. */
function useImagesIn({ text, onChange }: Pick<CommentEditorProps, 'text' | 'onChange'>) {
  const field = useRef<HTMLTextAreaElement | null>(null)
  const latest = useRef(text)
  const [said, setSaid] = useState('')
  // To be marked once the text that holds it stands in the field.
  const marked = useRef<{ in: string; start: number; end: number }>(undefined)
  // With the text itself: a key pressed in between would move the caret, which would then be moved back.
  useLayoutEffect(() => {
    latest.current = text
    const { current: mark } = marked
    if (mark?.in !== text) return
    marked.current = undefined
    field.current?.setSelectionRange(mark.start, mark.end)
  }, [text])
  const onSent = (file: File, { url }: Attachment) => {
    const { current: now } = latest
    const at = field.current
      ? { start: field.current.selectionStart, end: field.current.selectionEnd }
      : { start: now.length, end: now.length }
    const put = withImage(now, at, { alt: altOf(file.name), url })
    latest.current = put.text
    marked.current = { in: put.text, ...put.alt }
    onChange(put.text)
    setSaid(`${file.name} is in the text. Describe it between the brackets.`)
  }
  const images = useImages(onSent)
  const setField = (element: HTMLTextAreaElement | null) => {
    field.current = element
  }
  return { setField, images, said, take: images.take }
}

interface WritingProps extends Omit<CommentEditorProps, 'onBusy'> {
  setField: (element: HTMLTextAreaElement | null) => void
  onImages: (files: File[]) => void
  isBusy: boolean
}

function Writing(props: WritingProps) {
  const field = useRef<HTMLTextAreaElement | null>(null)
  const completion = useCompletion(field, props.text, props.onChange)
  const setBoth = (element: HTMLTextAreaElement | null) => {
    field.current = element
    props.setField(element)
  }
  return (
    <Box pos="relative">
      <Field {...props} setField={setBoth} completion={completion} />
      {completion.list}
    </Box>
  )
}

interface FieldProps extends WritingProps {
  completion: Completion
}

function Field({ setField, onImages, isBusy, minRows = 4, isFocused = false, ...props }: FieldProps) {
  const { completion } = props
  return (
    <Textarea
      {...completion.roles}
      aria-label={props.label}
      description="Markdown, with @person, #number and models/ns/name as links. Ctrl+Enter sends it. Images can be pasted or dropped here."
      inputWrapperOrder={['input', 'description', 'error']}
      autosize
      minRows={minRows}
      maxRows={24}
      ref={(element) => {
        setField(element)
        if (isFocused) focusAtEnd(element)
      }}
      value={props.text}
      error={props.error}
      onChange={(event) => {
        props.onChange(event.currentTarget.value)
        completion.follow(event.currentTarget)
      }}
      onBlur={completion.close}
      onSelect={(event) => completion.follow(event.currentTarget)}
      onPaste={(event) => {
        const files = pastedFiles(event)
        if (files.length === 0) return
        event.preventDefault()
        onImages(files)
      }}
      onKeyDown={(event) => {
        if (!event.ctrlKey && !event.metaKey && completion.takesKey(event.key)) {
          event.preventDefault()
          event.stopPropagation()
          return
        }
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        if (!isBusy) props.onSubmit()
      }}
    />
  )
}

function Preview({ text }: { text: string }) {
  return (
    <Box className={classes['preview'] ?? ''} role="region" aria-label="Preview">
      {text.trim() ? (
        <Suspense fallback={<ListSkeleton rows={1} />}>
          <CommentText key={text} id="preview" text={text} />
        </Suspense>
      ) : (
        <Text c="dimmed">Nothing to preview.</Text>
      )}
    </Box>
  )
}

function focusAtEnd(field: HTMLTextAreaElement | null): void {
  if (!field || field.dataset['focused']) return
  field.dataset['focused'] = 'yes'
  field.focus()
  field.setSelectionRange(field.value.length, field.value.length)
}
