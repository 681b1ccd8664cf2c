import { time, type z } from '../../core/http/contract.ts'
import type { FoundIssue } from './read/all-issues.ts'
import type { FileScan } from './read/file-scan.ts'
import type { RevisionScan } from './read/revision-scan.ts'
import type { ImportRule } from './rules/rules.ts'
import type * as schemas from './schemas.ts'

/** What is said of a name that no list tells more of. */
const general = {
  dangerous: 'Can run code or reach files and the network when the file is loaded.',
  suspicious: 'Not known to be harmless: it calls code of the library that has it when the file is loaded.',
  innocuous: 'Builds plain data; known to be harmless.',
}

/** What is said of a name on which an admin has decided. */
const ruled = {
  dangerous: 'An admin of this server calls it dangerous.',
  suspicious: general.suspicious,
  innocuous: 'An admin of this server allows it.',
}

/** What the scan found in a file, as the API shows it. */
export const fileScanView = (scan: FileScan): z.output<typeof schemas.FileScan> => ({
  path: scan.path,
  commit: scan.commit,
  status: scan.status,
  scanner: scan.scanner,
  checked: scan.isChecked,
  ...(scan.job && { job: scan.job }),
  imports: scan.imports.map(({ module, name, safety, found, meaning }) => ({
    module,
    name,
    safety,
    ...(found && { found }),
    meaning: found
      ? ruled[safety]
      : meaning
        ? `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`
        : general[safety],
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

/** What an admin says of an import, as the API shows it. */
export const importRuleView = ({
  module,
  name,
  safety,
  note,
  setBy,
  setAt,
}: ImportRule): z.output<typeof schemas.ImportRule> => ({
  module,
  name,
  safety,
  ...(note !== null && { note }),
  ...(setBy !== null && { set_by: setBy }),
  set_at: time(setAt),
})
