import {
  memo,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
  type MouseEvent,
  type ReactNode,
} from 'react'
import { useLocation, useNavigate } from 'react-router'
import classes from './code.module.css'
import { useColours, type Colours } from './highlight.ts'
import { Runs } from './runs.tsx'
import { selectedLines } from './selected-lines.ts'
import { useNear } from './use-near.ts'

const blockLines = 50
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
 * A text with numbered lines; a number is a link, shift-click extends it to a range. Lines are drawn in blocks. Those far
 * from what is in sight are one text each, without numbers and colours: the browser still finds words in them, and a text
 * of 100 000 lines takes some thousand elements.
 */
export function CodeView({ text, language, label, beside }: CodeViewProps) {
  const { hash } = useLocation()
  const navigate = useNavigate()
  const source = useMemo(() => text.replace(/\r?\n$/, '').replaceAll('\r\n', '\n'), [text])
  const lines = useMemo(() => source.split('\n'), [source])
  const colours = useColours(source, language)
  const [from, to] = selectedLines(hash)
  const pick = useCallback(
    (event: MouseEvent<HTMLElement>) => {
      const line = Number(event.currentTarget.dataset['line'])
      event.preventDefault()
      const [before] = selectedLines(location.hash)
      const start = event.shiftKey && before ? Math.min(before, line) : line
      const end = event.shiftKey && before ? Math.max(before, line) : line
      void navigate(`#L${start}${end > start ? `-L${end}` : ''}`, { replace: true, preventScrollReset: true })
    },
    [navigate],
  )
  const starts = Array.from({ length: Math.ceil(lines.length / blockLines) }, (_, i) => i * blockLines)
  return (
    <div className={classes['view']} role="region" aria-label={label} tabIndex={0} data-keeps-focus>
      {starts.map((start) => {
        const isSelected = from <= start + blockLines && to > start
        return (
          <Block
            key={start}
            start={start}
            lines={lines}
            colours={colours}
            from={isSelected ? from : 0}
            to={isSelected ? to : 0}
            onPick={pick}
            beside={beside}
          />
        )
      })}
    </div>
  )
}

interface BlockProps {
  start: number
  /** Of the whole text. */
  lines: string[]
  colours: Colours | undefined
  /** The selected lines; 0 where none is in this block. */
  from: number
  to: number
  onPick: (event: MouseEvent<HTMLElement>) => void
  beside: Beside | undefined
}

const neverChanges = () => () => {}

const Block = memo(function Block({ start, lines, colours, from, to, onPick, beside }: BlockProps) {
  const block = useRef<HTMLDivElement>(null)
  const end = Math.min(start + blockLines, lines.length)
  const isFirst = from > start && from <= end
  const isNear = useNear(block, start === 0 || isFirst)
  useEffect(() => {
    if (isNear) colours?.want(start, end)
  }, [isNear, colours, start, end])
  const isColoured = useSyncExternalStore(
    colours?.subscribe ?? neverChanges,
    () => colours?.lines[end - 1] !== undefined,
  )
  return (
    <div
      ref={block}
      className={classes['lines']}
      data-beside={beside ? true : undefined}
      style={{ height: (end - start) * linePixels }}
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
        <div className={classes['far']}>{lines.slice(start, end).join('\n')}</div>
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
