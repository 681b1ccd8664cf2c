import { Text } from '@mantine/core'
import { formatExact } from '../../lib/format.ts'
import { Size } from '../../ui/facts.tsx'
import { Section } from '../../ui/section.tsx'
import { Figures, ShareBar, Stored, type Share } from './figures.tsx'
import type { Overview } from './queries.ts'

type Storage = Overview['storage']

/** What the blob store keeps, on the disk beneath it. */
export function StorageCard({ storage }: { storage: Storage }) {
  const { disk, lfs, git, chunks, uploads } = storage
  const ours: Share[] = [
    { what: 'LFS objects', bytes: lfs.bytes, color: 'accent.7' },
    { what: 'Git packs', bytes: git.bytes + git.retired_bytes, color: 'accent.4' },
    { what: 'Chunk containers', bytes: chunks.bytes, color: 'pending.5' },
    { what: 'Uploads under way', bytes: uploads.bytes, color: 'caution.5' },
  ]
  const oursBytes = ours.reduce((sum, { bytes }) => sum + bytes, 0)
  const usedBytes = disk ? disk.total_bytes - disk.free_bytes : 0
  const others = { what: 'Anything else', bytes: Math.max(0, usedBytes - oursBytes), color: 'gray.5' }
  return (
    <Section
      title="Storage"
      aside={
        disk && (
          <Text size="sm" c="dimmed" component="span">
            <Size bytes={disk.free_bytes} /> free of <Size bytes={disk.total_bytes} />
          </Text>
        )
      }
    >
      <ShareBar
        what={disk ? 'The disk' : 'What is stored'}
        shares={disk ? [...ours, others] : ours}
        {...(disk ? { totalBytes: disk.total_bytes } : {})}
      />
    </Section>
  )
}

/** Large files, each stored once however many repos name it. */
export function ObjectCard({ lfs }: { lfs: Storage['lfs'] }) {
  return (
    <Section title="LFS objects">
      {lfs.logical_bytes > 0 && (
        <ShareBar
          what="Bytes that repos name"
          shares={[
            { what: 'Stored once', bytes: lfs.logical_bytes - lfs.saved_bytes, color: 'accent.7' },
            { what: 'Saved by sharing', bytes: lfs.saved_bytes, color: 'safe.5' },
          ]}
        />
      )}
      <Figures
        rows={[
          ['Stored', <Stored key="s" count={lfs.count} bytes={lfs.bytes} />],
          ['Named by repos', <Stored key="n" count={lfs.links} bytes={lfs.logical_bytes} />],
          ['Saved by sharing', <Size key="d" bytes={lfs.saved_bytes} />],
          ['Unreferenced', <Stored key="u" count={lfs.unreferenced_count} bytes={lfs.unreferenced_bytes} />],
          ['Found corrupt', <Alarm key="c" count={lfs.corrupt_count} />],
        ]}
      />
    </Section>
  )
}

/** Packs, bytes on their way in, and bytes on their way out. */
export function PackCard({ storage: { git, uploads, deletions } }: { storage: Storage }) {
  return (
    <Section title="Git packs and uploads">
      <Figures
        rows={[
          ['Packs in use', <Stored key="p" count={git.count} bytes={git.bytes} />],
          ['Packs replaced', <Stored key="r" count={git.retired_count} bytes={git.retired_bytes} />],
          ['Uploads under way', <Stored key="u" count={uploads.count} bytes={uploads.bytes} />],
          ['Announced by them', <Size key="e" bytes={uploads.expected_bytes} />],
          ['Files listed for deletion', formatExact(deletions.count)],
          ['Of these due', formatExact(deletions.due_count)],
        ]}
      />
    </Section>
  )
}

/** A count that should be 0. */
export function Alarm({ count }: { count: number }) {
  return (
    <Text span inherit {...(count > 0 ? { c: 'var(--mantine-color-error)', fw: 600 } : {})}>
      {formatExact(count)}
    </Text>
  )
}
