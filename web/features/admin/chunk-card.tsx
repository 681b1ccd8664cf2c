import { Badge, Text } from '@mantine/core'
import { formatDuration } from '../../lib/format.ts'
import { Size, TimeAgo } from '../../ui/facts.tsx'
import { Section } from '../../ui/section.tsx'
import { Figures, ShareBar, Stored } from './figures.tsx'
import type { Overview } from './queries.ts'

type Chunks = Overview['storage']['chunks']

/** What chunk-deduplicated uploads cost beside the objects that were rebuilt from them, and until when. */
export function ChunkCard({ chunks, at }: { chunks: Chunks; at: string }) {
  const isAccepting = chunks.mode === 'ingest'
  return (
    <Section
      title="Chunk storage"
      aside={
        <Badge size="sm" variant="light" color={isAccepting ? 'safe' : 'gray'}>
          {isAccepting ? 'uploads accepted' : 'uploads refused'}
        </Badge>
      }
    >
      {chunks.count + chunks.rebuilt_count === 0 ? (
        <Text size="sm" c="dimmed">
          No chunk-deduplicated upload has come yet.
        </Text>
      ) : (
        <ChunkFigures chunks={chunks} at={at} />
      )}
    </Section>
  )
}

function ChunkFigures({ chunks, at }: { chunks: Chunks; at: string }) {
  return (
    <>
      <ShareBar
        what="Bytes of chunk-deduplicated uploads"
        shares={[
          { what: 'Rebuilt objects', bytes: chunks.rebuilt_bytes, color: 'accent.7' },
          { what: 'Containers', bytes: chunks.bytes, color: 'pending.5' },
        ]}
      />
      <Figures
        rows={[
          ['Containers', <Stored key="c" count={chunks.count} bytes={chunks.bytes} />],
          ['Unpacked', <Size key="u" bytes={chunks.unpacked_bytes} />],
          ['Objects rebuilt', <Stored key="r" count={chunks.rebuilt_count} bytes={chunks.rebuilt_bytes} />],
          ['Containers beside objects', <Cost key="x" chunks={chunks} />],
          ['Kept after last use', formatDuration(chunks.retention_seconds)],
          ['Oldest expires', <ExpiresIn key="o" dueAt={chunks.oldest_due_at} at={at} />],
          ['Expires within 7 days', <Size key="d" bytes={chunks.due_7d_bytes} />],
          ['Held by rebuilds', <Stored key="p" count={chunks.pinned_count} bytes={chunks.pinned_bytes} />],
        ]}
      />
    </>
  )
}

/** The containers' bytes in proportion to those of the objects, which alone are needed for good. */
function Cost({ chunks: { bytes, rebuilt_bytes } }: { chunks: Chunks }) {
  return rebuilt_bytes > 0 ? `+${Math.round((bytes / rebuilt_bytes) * 100)} %` : '–'
}

function ExpiresIn({ dueAt, at }: { dueAt: string | undefined; at: string }) {
  if (dueAt === undefined) return '–'
  return dueAt <= at ? 'by the next gc' : <TimeAgo time={dueAt} />
}
