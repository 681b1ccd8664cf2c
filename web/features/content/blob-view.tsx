import { Center, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState, type ReactNode } from 'react'
import { fileUrl } from '../../../shared/transfer.ts'
import { useRepo } from '../../lib/repo-context.ts'
import type { TreeEntry } from '../../lib/types.ts'
import { CodeView } from '../../ui/code/code-view.tsx'
import { languageOf } from '../../ui/code/languages.ts'
import { Size } from '../../ui/facts.tsx'
import { late } from '../../ui/late.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { ListSkeleton } from '../../ui/states.tsx'
import classes from '../../ui/ui.module.css'
import { Document } from './document.tsx'
import { FileFacts } from './file-facts.tsx'
import { JsonTree } from './json-tree.tsx'
import { FileViews } from './file-views.tsx'
import { isTextTable, kindOf, previews, sizeOf, type FileKind } from './kind.ts'
import { maxShownBytes, textQuery } from './queries.ts'
import { ViewerSkeleton } from './viewers/viewer-skeleton.tsx'

const HeaderExplorer = late(async () => ({
  default: (await import('./header/header-explorer.tsx')).HeaderExplorer,
}))
const FileTable = late(() => import('./file-table.tsx'))

// Mirrors alone have such files.
const MissingFile = late(async () => ({ default: (await import('./missing-file.tsx')).MissingFile }))

// Mirrors, and repos that were one, alone know of it.
const Provenance = late(async () => ({ default: (await import('./provenance.tsx')).Provenance }))

const Media = late(() => import('./viewers/media.tsx'))
const SvgImage = late(() => import('./viewers/svg-image.tsx'))
const Notebook = late(() => import('./viewers/notebook.tsx'))
const Pdf = late(() => import('./viewers/pdf/pdf.tsx'))

interface BlobViewProps {
  file: TreeEntry
  rev: string
}

/** A file shown by its kind; what cannot be shown is described. */
export function BlobView({ file, rev }: BlobViewProps) {
  const { address, repo } = useRepo()
  const kind = kindOf(file)
  const url = fileUrl(address, rev, file.path)
  const isShown =
    kind !== 'binary' && (file.lfs === undefined || kind !== 'text' || sizeOf(file) <= maxShownBytes)
  if (file.presence !== 'present')
    return (
      <Stack gap="sm">
        <Suspense>
          <MissingFile file={file} />
        </Suspense>
        <FileFacts file={file} />
      </Stack>
    )
  return (
    <Stack gap="sm">
      {(file.lfs || !isShown) && <FileFacts file={file} />}
      {repo.mirror && (
        <Suspense>
          <Provenance rev={rev} path={file.path} />
        </Suspense>
      )}
      {hasTensors(file.path) && (
        <Suspense fallback={<ListSkeleton />}>
          <HeaderExplorer rev={rev} path={file.path} />
        </Suspense>
      )}
      {media.has(kind) && (
        <Frame file={file} rev={rev}>
          <Center p="md">
            <Suspense fallback={<ViewerSkeleton height={240} />}>
              <Media kind={kind} url={url} name={file.name} />
            </Suspense>
          </Center>
        </Frame>
      )}
      {kind === 'pdf' && (
        <Frame file={file} rev={rev}>
          <Suspense fallback={<TextSkeleton />}>
            <Pdf url={url} name={file.name} />
          </Suspense>
        </Frame>
      )}
      {isShown && kind !== 'table' && previews[kind] && <TextFile file={file} rev={rev} kind={kind} />}
      {kind === 'table' && <DataFile file={file} rev={rev} />}
    </Stack>
  )
}

/** Whether the file, or what it names, has a header of tensors. */
const hasTensors = (path: string) => /\.(safetensors|safetensors\.index\.json|gguf)$/i.test(path)

const media: ReadonlySet<FileKind> = new Set(['image', 'audio', 'video'])

/** Rows as a table; those of a text file also as they are written. */
function DataFile({ file, rev }: BlobViewProps) {
  const [mode, setMode] = useState('Table')
  const hasCode = isTextTable(file) && (file.lfs === undefined || sizeOf(file) <= maxShownBytes)
  const choice = hasCode && (
    <SegmentedControl
      size="xs"
      aria-label="How to show it"
      data={['Table', 'Code']}
      value={mode}
      onChange={setMode}
    />
  )
  if (mode === 'Code') return <TextFile file={file} rev={rev} kind="text" choice={choice} />
  return (
    <Frame file={file} rev={rev} choice={choice}>
      <Suspense fallback={<ListSkeleton rows={8} height={36} />}>
        <FileTable file={file} rev={rev} />
      </Suspense>
    </Frame>
  )
}

/** What stands above a file's content, and the content. */
function Frame({ file, rev, choice, children }: BlobViewProps & { choice?: ReactNode; children: ReactNode }) {
  return (
    <div className={classes['frame']}>
      <div className={classes['frameHead']}>
        <Group gap="sm">
          <Text size="sm" c="dimmed" component="div">
            <Size bytes={sizeOf(file)} />
          </Text>
          {choice}
          <FileViews file={file} rev={rev} current="blob" />
        </Group>
      </div>
      {children}
    </div>
  )
}

const TextSkeleton = () => <ViewerSkeleton height="70vh" />

function TextFile({
  file,
  rev,
  kind,
  choice: given,
}: BlobViewProps & { kind: FileKind; choice?: ReactNode }) {
  const { address } = useRepo()
  const modes = previews[kind] ?? ['Code']
  const [mode, setMode] = useState(modes[0] ?? 'Code')
  const query = useQuery(textQuery(address, { rev, path: file.path }, sizeOf(file)))
  const choice =
    given ??
    (modes.length > 1 && (
      <SegmentedControl size="xs" aria-label="How to show it" data={modes} value={mode} onChange={setMode} />
    ))
  return (
    <Loaded query={query} skeleton={<TextSkeleton />}>
      {({ text }) =>
        text === undefined ? (
          <FileFacts file={file} />
        ) : (
          <Frame file={file} rev={rev} choice={choice}>
            {mode === 'Preview' && (
              <article style={{ padding: 24 }}>
                <Document rev={rev} path={file.path} sizeBytes={sizeOf(file)} />
              </article>
            )}
            {mode === 'Tree' && <JsonTree text={text} />}
            <Suspense fallback={<TextSkeleton />}>
              {mode === 'Image' && <SvgImage text={text} name={file.name} />}
              {mode === 'Notebook' && <Notebook text={text} rev={rev} path={file.path} />}
            </Suspense>
            {mode === 'Code' && <CodeView text={text} language={languageOf(file.name)} label={file.name} />}
            {sizeOf(file) > maxShownBytes && (
              <Text size="sm" c="dimmed" p="sm">
                Only the beginning is shown; download the file for the rest.
              </Text>
            )}
          </Frame>
        )
      }
    </Loaded>
  )
}
