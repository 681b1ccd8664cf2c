import { EmptyState } from '../../ui/states.tsx'

/** Stands for a form of something to commit where the viewer cannot commit. */
export function NoCommits({ rev }: { rev: string }) {
  return (
    <EmptyState title={`${rev} cannot be changed here`}>
      Commits go to branches and open pull requests, by people who are signed in.
    </EmptyState>
  )
}
