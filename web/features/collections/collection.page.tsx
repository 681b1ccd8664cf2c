import { Anchor, Box, Button, Container, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { Suspense, useEffect, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { pages } from '../../lib/pages.ts'
import { hasRole } from '../../lib/repo-context.ts'
import type { Collection } from '../../lib/types.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { TimeAgo } from '../../ui/facts.tsx'
import { late } from '../../ui/late.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Mark } from '../../ui/mark.tsx'
import { EmptyState, PageSkeleton } from '../../ui/states.tsx'
import { AddItem } from './add-item.tsx'
import { ItemList } from './item-list.tsx'
import { Cover } from './cover.tsx'
import { collectionQuery, type CollectionAddress } from './queries.ts'
import { UpvoteButton } from './upvote-button.tsx'
import { countOf } from './words.ts'
import { PageTitle } from '../../ui/page-title.tsx'

const EditDialog = late(() => import('./edit-dialog.tsx'))
const DeleteDialog = late(() => import('./delete-dialog.tsx'))

/** `/collections/{ns}/{slug}`; a former slug leads to the present one. */
export function Component() {
  const { ns = '', slug = '' } = useParams()
  const at = { ns, slug }
  const query = useQuery(collectionQuery(at))
  const navigate = useNavigate()
  const present = query.data && pages.collection(query.data)
  const isFormer = query.data !== undefined && (query.data.slug !== slug || query.data.ns !== ns)
  useEffect(() => {
    if (present !== undefined && isFormer) void navigate(present, { replace: true })
  }, [present, isFormer, navigate])
  return (
    <Container size={960} py="lg">
      <Loaded query={query} skeleton={<PageSkeleton />}>
        {(collection) => <CollectionView collection={collection} at={at} />}
      </Loaded>
    </Container>
  )
}

function CollectionView({ collection, at }: { collection: Collection; at: CollectionAddress }) {
  const mayEdit = hasRole(collection, 'write')
  const slug = `${collection.ns}/${collection.slug}`
  return (
    <Stack gap="md">
      <PageTitle>{collection.title}</PageTitle>
      <Head collection={collection} at={at} />
      {mayEdit && <AddItem at={at} />}
      {collection.items.length > 0 ? (
        <ItemList collection={collection} at={at} mayEdit={mayEdit} />
      ) : (
        <EmptyState
          picture="collection"
          title="Nothing is in it yet"
          deed={mayEdit ? { kind: 'add-to-collection', slug, item: `${collection.ns}/my-model` } : undefined}
        >
          {mayEdit
            ? 'Look for a repo or collection above, add a repo from its own page, or from a terminal:'
            : 'What is in it may also be private.'}
        </EmptyState>
      )}
    </Stack>
  )
}

function Head({ collection, at }: { collection: Collection; at: CollectionAddress }) {
  const { ns, title, description } = collection
  return (
    <Stack gap="xs">
      <Cover collection={collection} isLarge />
      <Group justify="space-between" gap="sm" align="flex-start">
        <Group gap={8} miw={0} align="baseline" wrap="nowrap">
          <Box flex={1} miw={0} style={{ overflowWrap: 'anywhere' }}>
            <Title order={1} display="inline">
              {title}
            </Title>{' '}
            {collection.visibility === 'private' && <Mark color="caution">private</Mark>}{' '}
            <CopyButton text={`${ns}/${collection.slug}`} label="Copy the slug" />
          </Box>
        </Group>
        <Actions collection={collection} at={at} />
      </Group>
      {description && <Text style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>{description}</Text>}
      <Text size="sm" c="dimmed" component="div">
        <Anchor component={Link} to={pages.collections()} inherit underline="always">
          Collection
        </Anchor>{' '}
        of{' '}
        <Anchor component={Link} to={pages.namespace(ns)} inherit underline="always" ff="monospace">
          {ns}
        </Anchor>
        {' · '}
        {countOf(collection)} · changed <TimeAgo time={collection.updated_at} />
      </Text>
    </Stack>
  )
}

function Actions({ collection, at }: { collection: Collection; at: CollectionAddress }) {
  const [open, setOpen] = useState<'edit' | 'delete'>()
  const close = () => setOpen(undefined)
  return (
    <Group gap="xs">
      <UpvoteButton collection={collection} at={at} />
      {hasRole(collection, 'write') && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPencil size={14} />}
          onClick={() => setOpen('edit')}
        >
          Edit
        </Button>
      )}
      {hasRole(collection, 'admin') && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconTrash size={14} />}
          onClick={() => setOpen('delete')}
        >
          Delete
        </Button>
      )}
      <Suspense>
        {open === 'edit' && <EditDialog collection={collection} at={at} onClose={close} />}
        {open === 'delete' && <DeleteDialog collection={collection} at={at} onClose={close} />}
      </Suspense>
    </Group>
  )
}
