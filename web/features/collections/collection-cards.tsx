import { Anchor, Group, Paper, SimpleGrid, Text } from '@mantine/core'
import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import type { Collection } from '../../lib/types.ts'
import { TimeAgo } from '../../ui/facts.tsx'
import { Mark } from '../../ui/mark.tsx'
import classes from './collections.module.css'
import { Cover } from './cover.tsx'
import { UpvoteCount } from './upvote-button.tsx'
import { countOf, nameOf } from './words.ts'

interface CollectionCardsProps {
  collections: Collection[]
  /** Whether the namespace is said; it is known on its own page. */
  withOwner?: boolean
}

/** Collections side by side: what each is called, and what is first in it. */
export function CollectionCards({ collections, withOwner = true }: CollectionCardsProps) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm" role="list" aria-label="Collections">
      {collections.map((collection) => (
        <Card key={collection.id} collection={collection} withOwner={withOwner} />
      ))}
    </SimpleGrid>
  )
}

function Card({ collection, withOwner }: { collection: Collection; withOwner: boolean }) {
  const { ns, title, description, items } = collection
  return (
    <Paper withBorder role="listitem" miw={0} display="flex" style={{ flexDirection: 'column' }}>
      <Cover collection={collection} />
      <div className={classes['cardText']}>
        <Group gap={6} wrap="nowrap" align="flex-start">
          <Anchor
            component={Link}
            to={pages.collection(collection)}
            fw={600}
            c="var(--mantine-color-text)"
            style={{ overflowWrap: 'anywhere' }}
          >
            {title}
          </Anchor>
          {collection.visibility === 'private' && <Mark color="caution">private</Mark>}
        </Group>
        {description && (
          <Text size="xs" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
            {description}
          </Text>
        )}
        <div>
          {items.map((each) => (
            <Text
              key={each.id}
              size="xs"
              truncate="end"
              {...(each.item.type === 'collection' ? {} : { ff: 'monospace' })}
            >
              {nameOf(each)}
            </Text>
          ))}
        </div>
        <Text size="xs" c="dimmed" component="div" mt="auto">
          {withOwner && (
            <>
              <Anchor component={Link} to={pages.namespace(ns)} inherit underline="always">
                {ns}
              </Anchor>
              {' · '}
            </>
          )}
          {countOf(collection)} · <UpvoteCount value={collection.upvotes} /> ·{' '}
          <TimeAgo time={collection.updated_at} />
        </Text>
      </div>
    </Paper>
  )
}
