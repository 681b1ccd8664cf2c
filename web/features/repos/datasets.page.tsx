import { RepoListView } from './list-view.tsx'

/** `/datasets` */
export function Component() {
  return <RepoListView type="datasets" />
}
