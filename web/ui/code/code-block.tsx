import { Box } from '@mantine/core'
import { CopyButton } from '../copy-button.tsx'
import classes from './code.module.css'
import { useHighlight } from './highlight.ts'
import { languageOf } from './languages.ts'
import { Runs } from './runs.tsx'

/** A fenced block of a document. */
export function CodeBlock({ text, language }: { text: string; language: string | undefined }) {
  const lines = useHighlight(text, language === undefined ? undefined : languageOf(language))
  return (
    <Box className={classes['block'] ?? ''}>
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
