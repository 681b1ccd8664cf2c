import { Anchor, Stack } from '@mantine/core'
import { useRef } from 'react'
import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import { hasRole, isMirror, useRepo } from '../../lib/repo-context.ts'
import { Section } from '../../ui/section.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { AccessRequests } from './access-requests.tsx'
import { BranchRules } from './branch-rules.tsx'
import { CollaboratorsForm } from './collaborators.tsx'
import { DisableForm } from './disable-form.tsx'
import { GeneralForm } from './general-form.tsx'
import { MirrorPanel } from './mirror-panel.tsx'
import { MoveForms } from './move-forms.tsx'
import { PurgeForm } from './purge-form.tsx'
import { SettingsPlaces } from './settings-places.tsx'
import classes from './repos.module.css'

/** `…/settings`: everything an admin of the repo may change. */
export function Component() {
  const { repo, address } = useRepo()
  const sections = useRef<HTMLDivElement>(null)
  if (!hasRole(repo, 'admin'))
    return <EmptyState picture="lock" title="Only admins of a repo see its settings" />
  return (
    <div className={classes['settings']}>
      <SettingsPlaces within={sections} />
      <Stack gap="md" ref={sections} className={classes['sections'] ?? ''}>
        <GeneralForm key={repo.id} repo={repo} address={address} />
        {isMirror(repo) && <MirrorPanel address={address} />}
        <CollaboratorsForm address={address} />
        {!isMirror(repo) && <BranchRules address={address} />}
        {repo.gated && <AccessRequests address={address} />}
        <Section title="Webhooks" note="Tell other servers what happens here.">
          <Anchor component={Link} to={pages.repoWebhooks(repo)} size="sm" w="fit-content">
            Webhooks of this repo
          </Anchor>
        </Section>
        <PurgeForm repo={repo} address={address} />
        <DisableForm repo={repo} address={address} />
        <MoveForms repo={repo} address={address} />
      </Stack>
    </div>
  )
}
