import 'katex/dist/katex.min.css'
import katex from 'katex'
import { useEffect, useRef } from 'react'

/** A formula, built as elements: KaTeX's markup string would be refused by the page's policy. */
export default function Formula({ text, isDisplay }: { text: string; isDisplay: boolean }) {
  const place = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    if (!place.current) return
    try {
      katex.render(text, place.current, {
        displayMode: isDisplay,
        throwOnError: false,
        trust: false,
        maxExpand: 1000,
        maxSize: 50,
      })
    } catch {
      // KaTeX shows what it cannot parse by itself; one nested without end exhausts its stack.
      place.current.textContent = text
    }
  }, [text, isDisplay])
  return <span ref={place} />
}
