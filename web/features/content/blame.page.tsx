import { BlameView } from './blame/blame-view.tsx'
import { FilePage } from './file-page.tsx'

/** `…/blame/{rev}/{path}`: which commit each line of a file comes from. */
export function Component() {
  return (
    <FilePage title="Blame of " view="blame">
      {(shown) => <BlameView key={`${shown.listing.commit}:${shown.file.path}`} {...shown} />}
    </FilePage>
  )
}
