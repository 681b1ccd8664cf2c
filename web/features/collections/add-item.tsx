import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { notifyProblem } from '../../lib/notify.ts'
import { foundItemsQuery, useAddItem, type CollectionAddress } from './queries.ts'
import { itemOf, itemWordOf, wordOf } from './words.ts'

/** Looks for a repo or collection by name and puts it behind the others. */
export function AddItem({ at }: { at: CollectionAddress }) {
  const [text, setText] = useState('')
  const [q] = useDebouncedValue(text.trim(), 150)
  const { data: found } = useQuery({ ...foundItemsQuery(q), placeholderData: keepPreviousData })
  // None contains itself.
  const collections = found?.collections.filter(({ ns, slug }) => ns !== at.ns || slug !== at.slug) ?? []
  const options = [
    ...(found?.repos ?? []).map((repo) => ({ value: wordOf(repo), label: labelOf(repo) })),
    ...collections.map(({ ns, slug, title }) => ({
      value: itemWordOf({ type: 'collection', ns, slug }),
      label: `${title} (collection of ${ns})`,
    })),
  ]
  const add = useAddItem(at)
  const choose = (word: string | null) => {
    const item = itemOf(word)
    setText('')
    if (item) add.mutate({ item }, { onError: notifyProblem })
  }
  return (
    <Select
      label="Add a repo or collection"
      placeholder="Look for a model, dataset or collection"
      leftSection={<IconPlus size={14} />}
      searchable
      maw={480}
      data={q === '' ? [] : options}
      // The server has found them, by description as well.
      filter={({ options }) => options}
      nothingFoundMessage={text.trim() === '' ? 'Type a part of its name' : 'Nothing found'}
      searchValue={text}
      onSearchChange={setText}
      value={null}
      onChange={choose}
      disabled={add.isPending}
    />
  )
}

const labelOf = ({ type, ns, name }: { type: string; ns: string; name: string }) =>
  type === 'model' ? `${ns}/${name}` : `${ns}/${name} (${type})`
