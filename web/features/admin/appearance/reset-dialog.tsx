import { Alert, Stack, Text } from '@mantine/core'
import { problemText } from '../../../lib/form-errors.ts'
import type { Look } from '../../../lib/look.ts'
import { notifyDone } from '../../../lib/notify.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormActions } from '../../../ui/form-actions.tsx'
import { useRemoveLogo, useUpdateLook } from './queries.ts'

interface ResetDialogProps {
  onReset: (look: Look) => void
  onClose: () => void
}

/** Asks before name, logo, welcome and announcement are removed. */
export function ResetDialog({ onReset, onClose }: ResetDialogProps) {
  const update = useUpdateLook()
  const remove = useRemoveLogo()
  const error = update.error ?? remove.error
  const reset = async () => {
    await remove.mutateAsync()
    onReset(await update.mutateAsync({}))
    notifyDone('Appearance reset')
    onClose()
  }
  return (
    <Dialog title="Reset the appearance?" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          // What fails is shown below.
          reset().catch(() => undefined)
        }}
      >
        <Stack gap="md">
          <Text size="sm">
            Name, logo, welcome and announcement are removed. Pages look as Arsenal does, and the texts are
            only in the audit log.
          </Text>
          {error && (
            <Alert color="danger" role="alert">
              {problemText(error)}
            </Alert>
          )}
          <FormActions isPending={update.isPending || remove.isPending} isDanger onClose={onClose}>
            Reset to defaults
          </FormActions>
        </Stack>
      </form>
    </Dialog>
  )
}
