import { Text } from '@mantine/core'
import { Suspense } from 'react'
import type { ChangedFile, FileDiff } from '../../lib/types.ts'
import { CodeBlock } from '../../ui/code/code-block.tsx'
import { CodeView } from '../../ui/code/code-view.tsx'
import { Changes } from '../../ui/diff/changes.tsx'
import { CutNote } from '../../ui/diff/cut-note.tsx'
import { DiffView } from '../../ui/diff/file-change.tsx'
import { JsonTree } from '../../ui/json-tree.tsx'
import { Section } from '../../ui/section.tsx'
import { late } from '../../ui/late.tsx'
import { ListSkeleton } from '../../ui/states.tsx'
import { endless, Sample, unbroken } from './sample.tsx'

const Markdown = late(() => import('../../ui/markdown/markdown.tsx'))

const code = `def f(x: int) -> str:\n    """What it does."""\n    return f"{x + 1} ${unbroken}"  # a comment\n`
const card = `## A heading

${endless}

> [!WARNING]
> A callout.

| metric | value |
|---|---:|
| accuracy | 0.93 |

- [x] done
- [ ] to do

\`\`\`python
${code}\`\`\`

Euler: $e^{i\\pi} + 1 = 0$, and [a link](notes.md), and \`${unbroken}\`.
`
const base = { folder: '', pageOf: (path: string) => `#${path}`, bytesOf: (path: string) => `#${path}` }

const file = (path: string, status: ChangedFile['status']): ChangedFile => ({
  path,
  status,
  additions: 1,
  deletions: 1,
  binary: false,
  lfs: false,
})
const files = [
  file('src/model.py', 'modified'),
  file(`docs/${unbroken}.md`, 'added'),
  file('old.txt', 'deleted'),
]
const diff: FileDiff = {
  path: 'src/model.py',
  status: 'modified',
  binary: false,
  too_large: false,
  hunks: [
    {
      old_start: 1,
      old_lines: 2,
      new_start: 1,
      new_lines: 2,
      lines: [
        { kind: 'context', text: 'rate = 0.1' },
        { kind: 'delete', text: 'steps = 100' },
        { kind: 'add', text: 'steps = 900' },
      ],
    },
  ],
}

/** Texts, code, differences, values. */
export function TextParts() {
  return (
    <>
      <Section title="Markdown">
        <Suspense fallback={<ListSkeleton />}>
          <Markdown text={card} base={base} />
        </Suspense>
      </Section>
      <Section title="Code">
        <Sample state="block">
          <CodeBlock text={code} language="python" />
        </Sample>
        <Sample state="one line, no language">
          <CodeBlock text="make all" language={undefined} />
        </Sample>
        <Sample state="file">
          <CodeView text={code.repeat(3)} language="python" label="Code of a file" />
        </Sample>
      </Section>
      <Section title="Differences">
        <Changes files={files} summary={<Text>3 files changed</Text>} pageOf={(path) => `#${path}`}>
          {() => <DiffView diff={diff} command="git show" />}
        </Changes>
        <CutNote files={files} command="git show HEAD" />
      </Section>
      <Section title="JSON">
        <JsonTree value={{ a: [1, true, null], long: unbroken, empty: {} }} />
      </Section>
    </>
  )
}
