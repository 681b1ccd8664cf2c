import { Anchor, Title } from '@mantine/core'
import { pages } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import classes from './datasets.module.css'
import { Viewer } from './viewer.tsx'
import { PageTitle } from '../../ui/page-title.tsx'

/** The viewer without what stands around it, with the way to its page. */
export function EmbeddedViewer() {
  const { repo } = useRepo()
  return (
    <div className={classes['embedded']}>
      <PageTitle>{repo.full_name}</PageTitle>
      <Viewer
        skip={2}
        pageOf={(config, split) =>
          `${pages.repo(repo)}/embed${pages.viewer(repo, config, split).slice(pages.repo(repo).length)}`
        }
        aside={
          <Title order={1} size="sm" ff="monospace" fw={500}>
            <Anchor href={pages.viewer(repo)} target="_blank" rel="noopener" inherit>
              {repo.full_name}
            </Anchor>
          </Title>
        }
      />
    </div>
  )
}
