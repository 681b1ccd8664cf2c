import { Badge, Group, Paper, Stack, Text } from '@mantine/core'
import type { TreeEntry } from '../../lib/types.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Size } from '../../ui/facts.tsx'
import { sizeOf } from './kind.ts'

/** What is known of a file's bytes: size, hashes, how they are kept. */
export function FileFacts({ file }: { file: TreeEntry }) {
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <Group gap="xs">
          <Text fw={600}>{file.lfs ? 'Large file' : 'Binary file'}</Text>
          {file.lfs && (
            <Badge size="sm" variant="default">
              LFS
            </Badge>
          )}
          {file.presence !== 'present' && (
            <Badge size="sm" variant="light" color="caution">
              {file.presence}
            </Badge>
          )}
        </Group>
        <Fact label="Size">
          <Size bytes={sizeOf(file)} />
        </Fact>
        {file.lfs && (
          <Fact label="sha256" copy={file.lfs.sha256}>
            {file.lfs.sha256}
          </Fact>
        )}
        <Fact label="git object" copy={file.oid}>
          {file.oid}
        </Fact>
        {file.lfs && (
          <Fact label="Pointer">
            <Size bytes={file.lfs.pointer_size} />
          </Fact>
        )}
      </Stack>
    </Paper>
  )
}

function Fact({ label, copy, children }: { label: string; copy?: string; children: React.ReactNode }) {
  return (
    <Group gap="xs" align="baseline">
      <Text size="sm" c="dimmed" w={88}>
        {label}
      </Text>
      <Text size="sm" ff="monospace" component="div" miw={0} style={{ overflowWrap: 'anywhere' }} flex={1}>
        {children} {copy && <CopyButton text={copy} label={`Copy the ${label}`} />}
      </Text>
    </Group>
  )
}
