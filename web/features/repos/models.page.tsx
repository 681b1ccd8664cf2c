import { RepoListView } from './list-view.tsx'

/** `/models` */
export function Component() {
  return <RepoListView type="models" />
}
