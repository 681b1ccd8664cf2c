import { notifyDone } from '../../lib/notify.ts'
import type { Collection } from '../../lib/types.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { CollectionForm } from './collection-form.tsx'
import { useUpdateCollection, type CollectionAddress } from './queries.ts'

interface EditDialogProps {
  collection: Collection
  at: CollectionAddress
  onClose: () => void
}

/** What a collection is called and who sees it. A new title gives a new address, to which the page goes by itself. */
export default function EditDialog({ collection, at, onClose }: EditDialogProps) {
  const { ns, title, description = '', visibility, theme = '' } = collection
  const update = useUpdateCollection(at)
  return (
    <Dialog onClose={onClose} title="Edit the collection">
      <CollectionForm
        initial={{ ns, title, description, visibility, theme }}
        action="Save"
        isPending={update.isPending}
        onSave={(values, onFault) => {
          update.mutate(
            {
              title: values.title,
              description: values.description,
              visibility: values.visibility,
              theme: values.theme || null,
            },
            {
              onSuccess: () => {
                notifyDone('Collection saved')
                onClose()
              },
              onError: onFault,
            },
          )
        }}
      />
    </Dialog>
  )
}
