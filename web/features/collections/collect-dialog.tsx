import { Anchor, Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { notifyProblem } from '../../lib/notify.ts'
import { pages } from '../../lib/pages.ts'
import { useMe } from '../../lib/session.ts'
import type { Collection, Me, Repo } from '../../lib/types.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Mark } from '../../ui/mark.tsx'
import { ownersOf } from './owners.ts'
import { containingQuery, ownCollectionsQuery, useCollect, type RepoRef } from './queries.ts'
import { wordOf } from './words.ts'

/** Where a repo is collected: those of others as links, one's own to be chosen. */
export default function CollectDialog({ repo, onClose }: { repo: Repo; onClose: () => void }) {
  const ref: RepoRef = { type: repo.type, ns: repo.ns, name: repo.name }
  const me = useMe()
  const containing = useQuery(containingQuery(wordOf(ref)))
  return (
    <Dialog onClose={onClose} title="Collections with this repo">
      <Stack gap="md">
        <Loaded query={containing}>
          {(collections) => (
            <>
              <Others collections={collections} me={me ?? undefined} />
              {me && <Own me={me} repo={ref} isIn={new Set(collections.map(({ id }) => id))} />}
            </>
          )}
        </Loaded>
        {me && (
          <Button
            variant="default"
            size="xs"
            w="fit-content"
            component={Link}
            to={pages.newCollection({ item: wordOf(ref) })}
          >
            New collection with it
          </Button>
        )}
      </Stack>
    </Dialog>
  )
}

/** Those that the viewer may only look at. */
function Others({ collections, me }: { collections: Collection[]; me: Me | undefined }) {
  const own = me ? ownersOf(me) : []
  const others = collections.filter(({ ns }) => !own.includes(ns))
  if (others.length === 0)
    return me ? null : (
      <Text size="sm" c="dimmed">
        No collection that you may see has it.
      </Text>
    )
  return (
    <Stack gap={4}>
      {others.map((collection) => (
        <Text key={collection.id} size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
          <Anchor component={Link} to={pages.collection(collection)} inherit underline="always">
            {collection.title}
          </Anchor>{' '}
          of{' '}
          <Text span ff="monospace" inherit>
            {collection.ns}
          </Text>
        </Text>
      ))}
    </Stack>
  )
}

interface OwnProps {
  me: Me
  repo: RepoRef
  /** Ids of the collections that it is in. */
  isIn: Set<string>
}

function Own({ me, repo, isIn }: OwnProps) {
  const query = useQuery(ownCollectionsQuery(ownersOf(me)))
  const collect = useCollect(repo)
  // What is being changed shows what it will be.
  const shows = ({ id }: Collection) =>
    collect.isPending && collect.variables.collection.id === id ? !collect.variables.isIn : isIn.has(id)
  return (
    <Loaded query={query}>
      {(collections) =>
        collections.length === 0 ? (
          <Text size="sm" c="dimmed">
            You have no collection yet.
          </Text>
        ) : (
          <Stack gap="xs" role="group" aria-label="Your collections">
            {collections.map((collection) => (
              <Checkbox
                key={collection.id}
                checked={shows(collection)}
                label={<OwnLabel collection={collection} />}
                onChange={() =>
                  collect.mutate({ collection, isIn: shows(collection) }, { onError: notifyProblem })
                }
              />
            ))}
          </Stack>
        )
      }
    </Loaded>
  )
}

function OwnLabel({ collection }: { collection: Collection }) {
  return (
    <Group gap={6} component="span" style={{ overflowWrap: 'anywhere' }}>
      <span>{collection.title}</span>
      <Text span size="xs" c="dimmed" ff="monospace">
        {collection.ns}
      </Text>
      {collection.visibility === 'private' && <Mark color="caution">private</Mark>}
    </Group>
  )
}
