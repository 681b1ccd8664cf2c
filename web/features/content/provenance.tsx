import { Anchor, Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Operations } from '../../../shared/client.ts'
import { api } from '../../lib/api.ts'
import { pages } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import { keyOf } from '../../lib/repo-queries.ts'
import { useMe } from '../../lib/session.ts'
import type { RepoAddress } from '../../lib/types.ts'
import { FactTable } from '../../ui/fact-table.tsx'
import { Size, TimeAgo } from '../../ui/facts.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Section } from '../../ui/section.tsx'
import { Sha } from '../../ui/sha.tsx'

type Origin = Operations['listProvenance']['result']['items'][number]

const provenanceQuery = (address: RepoAddress, rev: string, path: string) =>
  queryOptions({
    queryKey: [...keyOf(address), 'provenance', rev, path],
    queryFn: ({ signal }) => api.listProvenance({ params: address, query: { rev, path } }, { signal }),
  })

/** Where the bytes of a mirrored file came from, who brought them and how they were checked. */
export function Provenance({ rev, path }: { rev: string; path: string }) {
  const { address } = useRepo()
  const query = useQuery(provenanceQuery(address, rev, path))
  // What was committed after a mirror was detached came from nowhere else.
  if (query.data?.items.length === 0) return null
  return (
    <Section title="Provenance" note="Where the bytes of this file came from.">
      <Loaded query={query}>
        {({ items }) =>
          items.map((origin) => <Facts key={`${origin.path} ${origin.sha256}`} origin={origin} />)
        }
      </Loaded>
    </Section>
  )
}

const ways = {
  sha256: 'Transferred from the upstream; its SHA-256 is the one that the commit names.',
  linked: 'The same bytes were on this server, checked by their SHA-256; they were not transferred again.',
  git: 'It came with its commit; its git id is the one that the commit names.',
}

function Facts({ origin }: { origin: Origin }) {
  const me = useMe()
  const { upstream, repo, commit, path, sha256, size, fetched_at, job, username, verified } = origin
  // Others do not see the jobs of a person.
  const seesJob = me && (me.is_admin || me.username === username)
  const rows: [string, React.ReactNode][] = [
    ['Upstream', upstream],
    ['Repo', repo],
    ['Commit', <Sha key="c" sha={commit} length={12} label="Copy the commit" />],
    ['Path', path],
    ['SHA-256', <Sha key="s" sha={sha256} length={16} label="Copy the SHA-256" />],
    ['Size', <Size key="z" bytes={size} />],
    ['Fetched', <TimeAgo key="t" time={fetched_at} />],
    [
      'By',
      username ? <Who key="w" username={username} /> : 'a reader who was not signed in, or a deleted account',
    ],
    ['Job', job ? seesJob ? <JobLink key="j" id={job} /> : job : 'none: it arrived as it was read'],
    ['Verified', ways[verified]],
  ]
  return <FactTable rows={rows} />
}

const Who = ({ username }: { username: string }) => (
  <Anchor component={Link} to={pages.namespace(username)} inherit>
    {username}
  </Anchor>
)

const JobLink = ({ id }: { id: string }) => (
  <Anchor component={Link} to={pages.job(id)} inherit>
    <Text span inherit ff="monospace">
      {id}
    </Text>
  </Anchor>
)
