import { BlobView } from './blob-view.tsx'
import { FilePage } from './file-page.tsx'

/** `…/blob/{rev}/{path}`: one file. */
export function Component() {
  return (
    <FilePage title="" view="blob">
      {({ file, rev }) => <BlobView key={`${rev}:${file.path}`} file={file} rev={rev} />}
    </FilePage>
  )
}
