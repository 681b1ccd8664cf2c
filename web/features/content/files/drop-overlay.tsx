import { Portal, Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import '@mantine/dropzone/styles.css'
import { IconUpload } from '@tabler/icons-react'
import { useNavigate } from 'react-router'
import { keepDropped } from '../../../lib/dropped-files.ts'
import { pages } from '../../../lib/pages.ts'
import { useRepo } from '../../../lib/repo-context.ts'
import classes from './drop-overlay.module.css'

/** Takes dropped files and folders to the upload page. */
export default function DropOverlay({ rev, path }: { rev: string; path: string }) {
  const { repo } = useRepo()
  const navigate = useNavigate()
  const take = (files: File[]) => {
    keepDropped(files)
    void navigate(pages.upload(repo, rev, path))
  }
  return (
    <Portal>
      <div className={classes['overlay']}>
        <Dropzone className={classes['zone'] ?? ''} activateOnClick={false} onDrop={take}>
          <Stack align="center" gap="xs">
            <IconUpload size={48} aria-hidden />
            <Text size="xl" fw={600}>
              Drop to upload to {path || repo.name}
            </Text>
            <Text c="dimmed">You see the files before anything is committed.</Text>
          </Stack>
        </Dropzone>
      </div>
    </Portal>
  )
}
