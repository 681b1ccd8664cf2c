import { time, type z } from '../../core/http/contract.ts'
import type { FoundIssue } from './read/all-issues.ts'
import type { FileScan } from './read/file-scan.ts'
import type { RevisionScan } from './read/revision-scan.ts'
import type * as schemas from './schemas.ts'

/** What is said of a name that no list tells more of. */
const general = {
  dangerous: 'Can run code or reach files and the network when the file is loaded.',
  suspicious: 'Not known to be harmless: it calls code of the library that has it when the file is loaded.',
  innocuous: 'Builds plain data; known to be harmless.',
}

/** What the scan found in a file, as the API shows it. */
export const fileScanView = (scan: FileScan): z.output<typeof schemas.FileScan> => ({
  path: scan.path,
  commit: scan.commit,
  status: scan.status,
  scanner: scan.scanner,
  checked: scan.isChecked,
  ...(scan.job && { job: scan.job }),
  imports: scan.imports.map(({ module, name, safety, meaning }) => ({
    module,
    name,
    safety,
    meaning:
      meaning === undefined ? general[safety] : `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`,
  })),
  problems: scan.problems.map(({ code, message, severity }) => ({ code, message, severity })),
})

/** How the files of a revision were found, as the API shows it. */
export const repoScanView = ({
  commit,
  status,
  isDone,
  counts: { missing, ...counts },
  issues,
}: RevisionScan): z.output<typeof schemas.RepoScan> => ({
  commit,
  status,
  done: isDone,
  ...counts,
  pending: missing,
  files: issues,
})

/** A file of an admin's list. */
export const unsafeFileView = ({ foundAt, ...issue }: FoundIssue): z.output<typeof schemas.UnsafeFile> => ({
  ...issue,
  found_at: time(foundAt),
})
