import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { notifyProblem } from '../../lib/notify.ts'
import { foundReposQuery, useAddItem, type CollectionAddress } from './queries.ts'
import { refOf, wordOf } from './words.ts'

/** Looks for a Repo by name and puts it behind the others. */
export function AddItem({ at }: { at: CollectionAddress }) {
  const [text, setText] = useState('')
  const [q] = useDebouncedValue(text.trim(), 150)
  const { data: found = [] } = useQuery({ ...foundReposQuery(q), placeholderData: keepPreviousData })
  const add = useAddItem(at)
  const choose = (word: string | null) => {
    const repo = refOf(word)
    setText('')
    if (repo) add.mutate({ item: repo }, { onError: notifyProblem })
  }
  return (
    <Select
      label="Add a Repo"
      placeholder="Look for a model or dataset"
      leftSection={<IconPlus size={14} />}
      searchable
      maw={480}
      data={q === '' ? [] : found.map((repo) => ({ value: wordOf(repo), label: labelOf(repo) }))}
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
