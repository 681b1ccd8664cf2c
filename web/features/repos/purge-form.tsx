import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from 'react-router'
import { notifyProblem } from '../../lib/notify.ts'
import { pages } from '../../lib/pages.ts'
import type { Repo, RepoAddress } from '../../lib/types.ts'
import { ConfirmName } from '../../ui/confirm-name.tsx'
import { Section } from '../../ui/section.tsx'
import { usePurgeUnreachable } from './queries.ts'

/** For the secret that was committed: what no branch, tag or pull request leads to goes before its time. */
export function PurgeForm({ repo, address }: { repo: Repo; address: RepoAddress }) {
  const [isOpen, { open, close }] = useDisclosure(false)
  const purge = usePurgeUnreachable(address)
  const navigate = useNavigate()
  const confirm = () =>
    purge.mutate(undefined, {
      onSuccess: (job) => void navigate(pages.job(job.id)),
      onError: notifyProblem,
    })
  return (
    <Section
      title="Purge"
      note="Commits that no branch, tag or pull request leads to can be fetched by their id for a while. A purge removes them at once."
      danger
    >
      <Button color="danger" variant="outline" w="fit-content" onClick={open}>
        Purge unreachable commits
      </Button>
      {isOpen && (
        <ConfirmName
          title={`Purge ${repo.full_name}`}
          name={repo.full_name}
          action="Purge"
          isPending={purge.isPending}
          onConfirm={confirm}
          onClose={close}
        >
          What a force-push, a squash or a deleted branch left behind cannot be brought back afterwards.
        </ConfirmName>
      )}
    </Section>
  )
}
