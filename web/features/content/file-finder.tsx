import { ScrollArea, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { memo, useDeferredValue, useMemo, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { pages } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import classes from './content.module.css'
import { matchPaths } from './match-paths.ts'
import { pathsQuery } from './queries.ts'

const shown = 50

interface FileFinderProps {
  rev: string
  onClose: () => void
}

/** Finds a file of the revision by some of its letters. */
export default function FileFinder(props: FileFinderProps) {
  return (
    <Dialog onClose={props.onClose} title="Find a file" size="lg">
      <Finder {...props} />
    </Dialog>
  )
}

/** The field and what matches it, apart from the dialog, which is not drawn again with each letter. */
function Finder({ rev, onClose }: FileFinderProps) {
  const { repo, address } = useRepo()
  const query = useQuery(pathsQuery(address, rev))
  const navigate = useNavigate()
  const [word, setWord] = useState('')
  // What is typed is shown before its matches.
  const wanted = useDeferredValue(word)
  const { data } = query
  const matches = useMemo(() => matchPaths(data ?? [], wanted).slice(0, shown), [data, wanted])
  const goFirst = () => {
    const [first] = matchPaths(data ?? [], word)
    if (first === undefined) return
    onClose()
    void navigate(pages.blob(repo, rev, first))
  }
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          goFirst()
        }}
      >
        <TextInput
          aria-label="Part of the path"
          placeholder="Part of the path"
          data-autofocus
          value={word}
          onChange={(event) => setWord(event.currentTarget.value)}
        />
      </form>
      <ScrollArea.Autosize mah={400} mt="sm">
        <Loaded query={query}>{() => <Matches rev={rev} paths={matches} onPick={onClose} />}</Loaded>
      </ScrollArea.Autosize>
    </>
  )
}

interface MatchesProps {
  rev: string
  paths: string[]
  onPick: () => void
}

const Matches = memo(function Matches({ rev, paths, onPick }: MatchesProps) {
  const { repo } = useRepo()
  if (paths.length === 0)
    return (
      <Text c="dimmed" p="sm">
        No path matches.
      </Text>
    )
  return paths.map((path) => (
    <Link key={path} className={classes['choice']} to={pages.blob(repo, rev, path)} onClick={onPick}>
      {path}
    </Link>
  ))
})
