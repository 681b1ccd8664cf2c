import { Box } from '@mantine/core'
import { useRef } from 'react'
import { CopyButton } from '../copy-button.tsx'
import classes from './code.module.css'
import { useHighlight } from './highlight.ts'
import { languageOf } from './languages.ts'
import { Runs } from './runs.tsx'
import { useNear } from './use-near.ts'

/** A fenced block of a document. */
export function CodeBlock({ text, language }: { text: string; language: string | undefined }) {
  const block = useRef<HTMLDivElement>(null)
  // The highlighter is fetched with the first block in sight: it is larger than all else on the page.
  const isNear = useNear(block, false)
  const lines = useHighlight(text, isNear && language !== undefined ? languageOf(language) : undefined)
  return (
    <Box ref={block} className={classes['block'] ?? ''}>
      <pre tabIndex={0} aria-label="Code">
        <code>
          {lines
            ? lines.map((runs, i) => (
                <span key={i}>
                  <Runs runs={runs} />
                  {'\n'}
                </span>
              ))
            : text}
        </code>
      </pre>
      <Box className={classes['copy'] ?? ''}>
        <CopyButton text={text} label="Copy code" />
      </Box>
    </Box>
  )
}
