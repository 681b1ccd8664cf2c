import { Button, Checkbox, CloseButton, Group, Popover, ScrollArea, Stack, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconTerminal2, IconColumns, IconFilter, IconSearch, IconSql } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import type { NamedFeature, ViewerValidity } from '../../../shared/viewer.ts'
import { pages, segmentsBelowRepo } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import type { RowSource } from '../../ui/grid/use-blocks.ts'
import type { Columns } from '../../ui/grid/use-columns.ts'
import type { SightStore } from '../../ui/grid/use-sight.ts'
import { iconOnPhones } from '../../ui/icon-on-phones.tsx'
import type { ViewerState } from './address.ts'
import { DownloadMenu } from './download-menu.tsx'
import type { Config, RowsAsked, Split, SplitAddress } from './queries.ts'
import { ParquetFiles } from './parquet-files.tsx'
import { UseSplit } from './use-split.tsx'

interface ToolbarProps {
  pickers: ReactNode
  state: ViewerState
  validity: ViewerValidity
  columns: NamedFeature[]
  shown: Columns
  at: SplitAddress
  asked: RowsAsked
  source: RowSource
  config: Config
  split: Split
  total: number
  /** Rows that match; the table shows the first sorted ones alone. */
  found: number
  sight: SightStore
  onSearch: (text: string) => void
  onFilter: () => void
  onClear: () => void
}

/** What is asked of the rows, which columns are shown, and how to take them along. */
export function Toolbar(props: ToolbarProps) {
  const { state, validity, columns, shown, source, config, split, total, sight } = props
  const { repo } = useRepo()
  const [opened, setOpened] = useState<'use' | 'files'>()
  // Other sites frame the table alone.
  const isEmbedded = segmentsBelowRepo(useLocation().pathname)[0] === 'embed'
  const isNarrowed = state.search !== '' || state.filter !== '' || state.sort !== ''
  return (
    <Group gap="xs">
      {props.pickers}
      {validity.search && <SearchField text={state.search} onSearch={props.onSearch} />}
      {validity.filter && (
        <Button
          size="xs"
          variant={state.filter ? 'light' : 'default'}
          {...iconOnPhones(state.filter ? 'Filtered' : 'Filter', <IconFilter size={14} />)}
          {...(state.filter ? { title: state.filter } : {})}
          onClick={props.onFilter}
        />
      )}
      {isNarrowed && (
        <Button size="xs" variant="subtle" color="gray" onClick={props.onClear}>
          Show all rows
        </Button>
      )}
      <Group gap="xs" ml="auto">
        {!isEmbedded && (
          <Button
            component={Link}
            to={pages.sql(repo, config.name)}
            size="xs"
            variant="default"
            {...iconOnPhones('SQL', <IconSql size={14} />)}
          />
        )}
        <ColumnPicker columns={columns} shown={shown} />
        <DownloadMenu
          at={props.at}
          asked={props.asked}
          found={props.found}
          canQuery={validity.filter}
          source={source}
          columns={shown.shown.map(({ name }) => name)}
          total={total}
          sight={sight}
          name={[repo.name, config.name, split.name].join('-')}
          onParquet={split.parquet_files.length > 0 ? () => setOpened('files') : undefined}
        />
        <Button
          size="xs"
          variant="default"
          {...iconOnPhones('Use', <IconTerminal2 size={14} />)}
          onClick={() => setOpened('use')}
        />
      </Group>
      {opened === 'use' && (
        <UseSplit config={config.name} split={split} onClose={() => setOpened(undefined)} />
      )}
      {opened === 'files' && (
        <ParquetFiles config={config.name} split={split} onClose={() => setOpened(undefined)} />
      )}
    </Group>
  )
}

/** A search begins when typing rests: each looks through all rows. */
const typingMs = 500

function SearchField({ text, onSearch }: { text: string; onSearch: (text: string) => void }) {
  const [value, setValue] = useState(text)
  const [known, setKnown] = useState(text)
  if (known !== text) {
    setKnown(text)
    // What is still being typed stays.
    if (text === '') setValue('')
  }
  const search = useDebouncedCallback((next: string) => {
    if (next.trim() !== text) onSearch(next.trim())
  }, typingMs)
  return (
    <TextInput
      size="xs"
      w={{ base: '100%', xs: 240 }}
      type="search"
      maxLength={500}
      aria-label="Search in all rows"
      placeholder="Search in all rows"
      leftSection={<IconSearch size={14} />}
      rightSection={
        value !== '' && (
          <CloseButton
            size="xs"
            aria-label="Clear the search"
            onClick={() => {
              setValue('')
              onSearch('')
            }}
          />
        )
      }
      value={value}
      onChange={({ currentTarget }) => {
        setValue(currentTarget.value)
        search(currentTarget.value)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') search.flush()
      }}
    />
  )
}

function ColumnPicker({ columns, shown }: { columns: NamedFeature[]; shown: Columns }) {
  const hidden = columns.length - shown.shown.length
  return (
    <Popover position="bottom-end" shadow="md" withinPortal>
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          {...iconOnPhones(
            hidden === 0 ? 'Columns' : `Columns · ${hidden} hidden`,
            <IconColumns size={14} />,
          )}
        />
      </Popover.Target>
      <Popover.Dropdown p="xs">
        <ScrollArea.Autosize mah={360} type="auto">
          <Stack gap={6} miw={180} role="group" aria-label="Columns shown">
            {columns.map(({ name }) => (
              <Checkbox
                key={name}
                size="xs"
                label={name}
                checked={!shown.isHidden(name)}
                onChange={({ currentTarget }) => shown.toggle(name, currentTarget.checked)}
              />
            ))}
          </Stack>
        </ScrollArea.Autosize>
        {hidden > 0 && (
          <Button size="compact-xs" variant="subtle" mt="xs" onClick={shown.showAll}>
            Show all
          </Button>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
