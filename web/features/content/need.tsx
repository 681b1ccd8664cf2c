import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import classes from './content.module.css'
import type { Dependencies } from './queries.ts'

type Need = Dependencies['needs'][number]

const kinds: Record<Need['kind'], string> = {
  base_model: 'Base model',
  adapter_base: 'Adapter of',
  code: 'Code of',
  tokenizer: 'Tokenizer of',
  backbone: 'Backbone',
  dataset: 'Dataset',
}

/** A repo that is needed, and what for; a link where it is on this server. */
export function NeedLine({ need: { kind, repo, relation, present } }: { need: Need }) {
  return <RepoLine title={relation && `${relation} of it`} what={kinds[kind]} repo={repo} isHere={present} />
}

interface RepoLineProps {
  /** What it is to the repo of the page. */
  what: string
  title?: string | undefined
  repo: Need['repo']
  isHere?: boolean
}

/** A repo beside what it is to the one of the page. */
export function RepoLine({ what, title, repo, isHere = true }: RepoLineProps) {
  const name = repo.ns ? `${repo.ns}/${repo.name}` : repo.name
  return (
    <div className={classes['need']}>
      <Text size="sm" c="dimmed" title={title}>
        {what}
      </Text>
      {isHere ? (
        <Anchor
          size="sm"
          component={Link}
          to={pages.repo(repo)}
          underline="always"
          className={classes['needed'] ?? ''}
        >
          {name}
        </Anchor>
      ) : (
        <Text size="sm" title="Not on this server" className={classes['needed'] ?? ''}>
          {name}
        </Text>
      )}
    </div>
  )
}
