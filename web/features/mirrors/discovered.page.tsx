import { Alert, Anchor, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { Link, useParams, useSearchParams } from 'react-router'
import { pages } from '../../lib/pages.ts'
import type { Me } from '../../lib/types.ts'
import { Size, TimeAgo } from '../../ui/facts.tsx'
import { late } from '../../ui/late.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Mark } from '../../ui/mark.tsx'
import { PageFrame } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { Sha } from '../../ui/sha.tsx'
import { SignedIn } from '../../ui/signed-in.tsx'
import { ListSkeleton } from '../../ui/states.tsx'
import { largeFilesOf } from './choice.ts'
import classes from './mirrors.module.css'
import { PullBox } from './pull-box.tsx'
import { discoveredQuery, upstreamsQuery, type DiscoverAddress, type FoundDetail } from './queries.ts'
import { StateMark } from './state-mark.tsx'
import { TokenButton } from './token-dialog.tsx'

// Markdown is 40 KB, and half of the repos are pulled without a look at it.
const Card = late(() => import('./found-card.tsx'))

/** `/discover/:type/:ns/:name`: a repo of another hub, and what to pull of it. */
export function Component() {
  const { type = '', ns = '', name = '' } = useParams()
  const [search] = useSearchParams()
  const rev = search.get('rev')
  const address: DiscoverAddress = {
    upstream: search.get('upstream') ?? 'huggingface',
    type: type === 'datasets' ? 'datasets' : 'models',
    ns,
    name,
    ...(rev ? { rev } : {}),
  }
  return (
    <SignedIn>
      {(me) => (
        <PageFrame title={`${ns}/${name}`} actions={<BackToSearch address={address} />}>
          <Found me={me} address={address} />
        </PageFrame>
      )}
    </SignedIn>
  )
}

function BackToSearch({ address: { upstream, type } }: { address: DiscoverAddress }) {
  return (
    <Anchor component={Link} size="sm" to={pages.discover(upstream, type)}>
      Discover more
    </Anchor>
  )
}

function Found({ me, address }: { me: Me; address: DiscoverAddress }) {
  const query = useQuery(discoveredQuery(address))
  return (
    <Loaded query={query}>
      {(found) => <Detail key={found.commit} me={me} address={address} found={found} />}
    </Loaded>
  )
}

interface DetailProps {
  me: Me
  address: DiscoverAddress
  found: FoundDetail
}

function Detail({ me, address, found }: DetailProps) {
  const large = largeFilesOf(found)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(large.map(({ path }) => path)))
  const toggle = (paths: readonly string[], isOn: boolean) => {
    const next = new Set(chosen)
    for (const path of paths)
      if (isOn) next.add(path)
      else next.delete(path)
    setChosen(next)
  }
  return (
    <Stack gap="md">
      <Facts found={found} />
      <Warnings address={address} found={found} />
      <div className={classes['layout']}>
        <Stack gap="md">
          {found.quants.groups.length > 0 && <Quants found={found} chosen={chosen} onToggle={toggle} />}
          {found.configs.length > 0 && <Configs found={found} chosen={chosen} onToggle={toggle} />}
          <Files found={found} chosen={chosen} onToggle={toggle} />
        </Stack>
        <Stack gap="md" className={classes['aside']}>
          <PullBox me={me} address={address} found={found} chosen={chosen} />
          <Dependencies address={address} found={found} />
        </Stack>
        {found.card && (
          <Section title="Card">
            <Suspense fallback={<ListSkeleton rows={3} />}>
              <Card text={found.card} found={found} />
            </Suspense>
          </Section>
        )}
      </div>
    </Stack>
  )
}

function Facts({ found }: { found: FoundDetail }) {
  return (
    <Group gap="sm">
      <StateMark arsenal={found.arsenal} />
      {found.gated && <Mark color="pending">gated</Mark>}
      {found.private && <Mark color="caution">private</Mark>}
      {[found.task, found.library, found.licence].flatMap((word) =>
        word ? [<Mark key={word}>{word}</Mark>] : [],
      )}
      <Text size="sm" c="dimmed">
        <Sha sha={found.commit} label="Copy the commit" />
      </Text>
      {found.updated_at && (
        <Text size="sm" c="dimmed">
          Updated <TimeAgo time={found.updated_at} />
        </Text>
      )}
    </Group>
  )
}

function Warnings({ address, found }: { address: DiscoverAddress; found: FoundDetail }) {
  const upstreams = useQuery(upstreamsQuery)
  const upstream = upstreams.data?.items.find(({ id }) => id === address.upstream)
  if (found.warnings.length === 0) return null
  return (
    <Alert color="caution">
      <Stack gap="xs" align="flex-start">
        {found.warnings.map((warning) => (
          <Text key={warning} size="sm">
            {warning}
          </Text>
        ))}
        {!found.readable && upstream && <TokenButton upstream={upstream} label="Save a token" />}
      </Stack>
    </Alert>
  )
}

interface ChoiceProps {
  found: FoundDetail
  chosen: ReadonlySet<string>
  onToggle: (paths: readonly string[], isOn: boolean) => void
}

function Quants({ found, chosen, onToggle }: ChoiceProps) {
  return (
    <Section title="Quants" note="Ticking one takes all its files.">
      <div>
        {found.quants.groups.map(({ name, files, size_bytes }) => {
          const on = files.filter((path) => chosen.has(path)).length
          return (
            <div key={`${name} ${files[0]}`} className={classes['file']}>
              <Checkbox
                label={name}
                checked={on === files.length}
                indeterminate={on > 0 && on < files.length}
                onChange={(event) => onToggle(files, event.currentTarget.checked)}
              />
              <span className={classes['size']}>
                <Size bytes={size_bytes} />
              </span>
            </div>
          )
        })}
      </div>
    </Section>
  )
}

function Files({ found, chosen, onToggle }: ChoiceProps) {
  const large = largeFilesOf(found)
  const small = found.files.length - large.length
  const paths = large.map(({ path }) => path)
  const words = `${small} small ${small === 1 ? 'file comes' : 'files come'} in any case.`
  if (large.length === 0) return <Section title="Files">{<Text size="sm">{words}</Text>}</Section>
  return (
    <Section
      title="Large files"
      note={words}
      aside={
        <Checkbox
          label="All"
          checked={chosen.size === large.length}
          indeterminate={chosen.size > 0 && chosen.size < large.length}
          onChange={(event) => onToggle(paths, event.currentTarget.checked)}
        />
      }
    >
      <div className={classes['files']} role="group" aria-label="Large files" tabIndex={0}>
        {large.map(({ path, size, presence }) => (
          <div key={path} className={classes['file']}>
            <Checkbox
              label={<span className={classes['path']}>{path}</span>}
              checked={chosen.has(path)}
              onChange={(event) => onToggle([path], event.currentTarget.checked)}
            />
            <Group gap="xs" wrap="nowrap" className={classes['size']}>
              {presence === 'present' && <Mark color="safe">here</Mark>}
              {presence === 'pulling' && <Mark color="pending">pulling</Mark>}
              <Size bytes={size} />
            </Group>
          </div>
        ))}
      </div>
    </Section>
  )
}

function Dependencies({ address, found }: { address: DiscoverAddress; found: FoundDetail }) {
  if (found.dependencies.length === 0) return null
  return (
    <Section title="Depends on">
      <Stack gap={6}>
        {found.dependencies.map(({ kind, repo, arsenal }) => (
          <div key={`${kind} ${repo.ns}/${repo.name}`} className={classes['names']}>
            <Link className={classes['name']} to={pages.discovered(address.upstream, repo)}>
              {repo.ns ? `${repo.ns}/${repo.name}` : repo.name}
            </Link>
            <Text size="xs" c="dimmed">
              {kind.replace('_', ' ')}
            </Text>
            <StateMark arsenal={arsenal} />
          </div>
        ))}
      </Stack>
    </Section>
  )
}

function Configs({ found, chosen, onToggle }: ChoiceProps) {
  const sizes = new Map(found.files.map(({ path, size }) => [path, size]))
  return (
    <Section title="Configs" note="Ticking one takes all its large files.">
      <div>
        {found.configs.map(({ name, splits, files }) => {
          const on = files.filter((path) => chosen.has(path)).length
          return (
            <div key={name} className={classes['file']}>
              <Checkbox
                label={name}
                description={splits.join(', ')}
                disabled={files.length === 0}
                checked={files.length > 0 && on === files.length}
                indeterminate={on > 0 && on < files.length}
                onChange={(event) => onToggle(files, event.currentTarget.checked)}
              />
              <span className={classes['size']}>
                <Size bytes={files.reduce((sum, path) => sum + (sizes.get(path) ?? 0), 0)} />
              </span>
            </div>
          )
        })}
      </div>
    </Section>
  )
}
