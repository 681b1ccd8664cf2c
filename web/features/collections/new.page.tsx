import { Text } from '@mantine/core'
import { useNavigate, useSearchParams } from 'react-router'
import { pages } from '../../lib/pages.ts'
import type { Me } from '../../lib/types.ts'
import { PageFrame } from '../../ui/page.tsx'
import { SignedIn } from '../../ui/signed-in.tsx'
import { CollectionForm } from './collection-form.tsx'
import { ownersOf } from './owners.ts'
import { useCreateCollection } from './queries.ts'
import { refOf } from './words.ts'

/** `/collections/new`; `ns` and a first `item` may stand in the address. */
export function Component() {
  return (
    <SignedIn>
      {(me) => (
        <PageFrame title="New collection" width={640}>
          <NewCollection me={me} />
        </PageFrame>
      )}
    </SignedIn>
  )
}

function NewCollection({ me }: { me: Me }) {
  const [search] = useSearchParams()
  const repo = refOf(search.get('item'))
  const create = useCreateCollection()
  const navigate = useNavigate()
  return (
    <>
      {repo && (
        <Text size="sm" c="dimmed" mb="md" style={{ overflowWrap: 'anywhere' }}>
          It begins with{' '}
          <Text span ff="monospace" inherit>
            {repo.ns}/{repo.name}
          </Text>
          .
        </Text>
      )}
      <CollectionForm
        initial={{
          ns: search.get('ns') ?? me.username,
          title: '',
          description: '',
          visibility: 'private',
          theme: 'blue',
        }}
        owners={ownersOf(me)}
        action="Create collection"
        isPending={create.isPending}
        onSave={({ theme, description, ...values }, onFault, markSaved) => {
          const body = { ...values, ...(description ? { description } : {}), ...(theme ? { theme } : {}) }
          create.mutate(
            { body, repo },
            {
              onSuccess: (made) => {
                markSaved()
                void navigate(pages.collection(made))
              },
              onError: onFault,
            },
          )
        }}
      />
    </>
  )
}
