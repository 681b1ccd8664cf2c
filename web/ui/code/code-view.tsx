import {
  memo,
  startTransition,
  useCallback,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type MouseEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import { useLocation, useNavigate } from 'react-router'
import { afterPaint } from '../../lib/after-paint.ts'
import classes from './code.module.css'
import { useColours, type Colours } from './highlight.ts'
import { Runs } from './runs.tsx'
import { hashOf, selectedLines } from './selected-lines.ts'
import { useNear } from './use-near.ts'

/** Lines that get numbers and colours at one go. */
const blockLines = 50
/** Blocks come and go by section: for each element that is watched, browsers look in every frame where it is. */
const sectionLines = 1000
const linePixels = 20

interface CodeViewProps {
  text: string
  language: string | undefined
  label: string
  /** What stands beside the lines from `start` to before `end`, which count from 0; the same function each time. */
  beside?: Beside
}

type Beside = (start: number, end: number) => ReactNode

/**
 * A text with numbered lines; a number is a link, shift-click extends it to a range. Lines are drawn in sections of blocks.
 * Those far from what is in sight are one text each, without numbers and colours: the browser still finds words in them,
 * and a text of 100 000 lines takes some hundred elements.
 */
export function CodeView({ text, language, label, beside }: CodeViewProps) {
  const { hash } = useLocation()
  const source = useMemo(() => text.replace(/\r?\n$/, '').replaceAll('\r\n', '\n'), [text])
  const lines = useMemo(() => source.split('\n'), [source])
  const colours = useColours(source, language)
  const [[from, to], pick] = useSelection(hash)
  return (
    <div className={classes['view']} role="region" aria-label={label} tabIndex={0} data-keeps-focus>
      {partsOf({ start: 0, end: lines.length, from, to }, sectionLines).map((part) => (
        <Section key={part.start} {...part} lines={lines} colours={colours} onPick={pick} beside={beside} />
      ))}
    </div>
  )
}

type Selection = readonly [from: number, to: number]

/**
 * The lines that the hash names, and what selects others by a press on a number. They are marked at once: the address,
 * with which all of the page is drawn, follows.
 */
function useSelection(hash: string): [Selection, (event: MouseEvent<HTMLElement>) => void] {
  const navigate = useNavigate()
  const [picked, setPicked] = useState<Selection>()
  const shown = picked ?? selectedLines(hash)
  const first = useRef(0)
  useLayoutEffect(() => {
    first.current = shown[0]
  })
  const pick = useCallback((event: MouseEvent<HTMLElement>) => {
    event.preventDefault()
    const line = Number(event.currentTarget.dataset['line'])
    const other = event.shiftKey && first.current ? first.current : line
    setPicked([Math.min(other, line), Math.max(other, line)])
  }, [])
  useEffect(() => {
    if (!picked) return undefined
    const [from, to] = picked
    return afterPaint(() =>
      startTransition(() => {
        void navigate(hashOf(from, to), { replace: true, preventScrollReset: true })
        setPicked(undefined)
      }),
    )
  }, [picked, navigate])
  return [shown, pick]
}

/** Lines from `start` to before `end`, which count from 0. */
interface Stretch {
  start: number
  end: number
  /** The selected lines, which count from 1; 0 where none is among these. */
  from: number
  to: number
}

/** A stretch in parts of so many lines. */
function partsOf({ start, end, from, to }: Stretch, size: number): Stretch[] {
  return Array.from({ length: Math.ceil((end - start) / size) }, (_, i) => {
    const part = { start: start + i * size, end: Math.min(start + (i + 1) * size, end) }
    const isSelected = from <= part.end && to > part.start
    return { ...part, from: isSelected ? from : 0, to: isSelected ? to : 0 }
  })
}

interface StretchProps extends Stretch {
  /** Of the whole text. */
  lines: string[]
  colours: Colours | undefined
  onPick: (event: MouseEvent<HTMLElement>) => void
  beside: Beside | undefined
}

/**
 * Whether a stretch is in sight or about to be; it is from the first where the page begins with it. What comes into sight is
 * drawn between the presses.
 */
const useNearStretch = (element: RefObject<Element | null>, { start, end, from }: Stretch) =>
  useDeferredValue(useNear(element, start === 0 || (from > start && from <= end)))

const heightOf = ({ start, end }: Stretch) => ({ height: (end - start) * linePixels })

const Section = memo(function Section({ start, end, from, to, ...props }: StretchProps) {
  const section = useRef<HTMLDivElement>(null)
  const stretch = { start, end, from, to }
  const isNear = useNearStretch(section, stretch)
  if (isNear)
    return (
      <div ref={section} style={heightOf(stretch)}>
        {partsOf(stretch, blockLines).map((part) => (
          <Block key={part.start} {...part} {...props} />
        ))}
      </div>
    )
  return (
    <div
      ref={section}
      className={classes['lines']}
      data-beside={props.beside ? true : undefined}
      style={heightOf(stretch)}
    >
      <FarLines lines={props.lines} start={start} end={end} />
    </div>
  )
})

const FarLines = ({ lines, start, end }: Pick<StretchProps, 'lines' | 'start' | 'end'>) => (
  <div className={classes['far']}>{lines.slice(start, end).join('\n')}</div>
)

/** Whether the lines to before `end` have their colours. They too are drawn between the presses. */
function useIsColoured(colours: Colours | undefined, end: number): boolean {
  const [isColoured, setIsColoured] = useState(() => colours?.lines[end - 1] !== undefined)
  useEffect(() => {
    const look = () => startTransition(() => setIsColoured(colours?.lines[end - 1] !== undefined))
    look()
    return colours?.subscribe(look)
  }, [colours, end])
  return isColoured
}

const Block = memo(function Block(props: StretchProps) {
  const { start, end, lines, colours, from, to, onPick, beside } = props
  const block = useRef<HTMLDivElement>(null)
  const isNear = useNearStretch(block, props)
  useEffect(() => {
    if (isNear) colours?.want(start, end)
  }, [isNear, colours, start, end])
  const isColoured = useIsColoured(colours, end)
  return (
    <div
      ref={block}
      className={classes['lines']}
      data-beside={beside ? true : undefined}
      style={heightOf(props)}
    >
      {beside && isNear && <div className={classes['beside']}>{beside(start, end)}</div>}
      {isNear ? (
        lines.slice(start, end).map((line, i) => {
          const number = start + i + 1
          const runs = isColoured ? colours?.lines[number - 1] : undefined
          return (
            <div
              key={number}
              className={classes['line']}
              data-selected={number >= from && number <= to ? true : undefined}
              ref={number === from ? scrollOnce : undefined}
            >
              <a
                href={`#L${number}`}
                data-line={number}
                tabIndex={-1}
                className={classes['number']}
                onClick={onPick}
              >
                {number}
              </a>
              <code>{runs ? <Runs runs={runs} /> : line}</code>
            </div>
          )
        })
      ) : (
        <FarLines lines={lines} start={start} end={end} />
      )}
    </div>
  )
})

let scrolledTo = ''

/** Brings the selected line into sight when the page opens, not at every click on a number. */
function scrollOnce(line: HTMLElement | null): void {
  if (!line || scrolledTo === location.pathname) return
  scrolledTo = location.pathname
  line.scrollIntoView({ block: 'center' })
}
