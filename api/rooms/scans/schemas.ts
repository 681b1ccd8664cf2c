import { importSafeties, scanStatuses } from '../../../shared/vocabulary.ts'
import { listOf, RepoRef, Time, z } from '../../core/http/contract.ts'
import { Text } from '../repos/schemas.ts'

const ruledSafeties = ['innocuous', 'dangerous'] as const

export const ScanStatus = z.enum(scanStatuses)
const Issue = z.enum(['unsafe', 'suspicious', 'failed'])

export const FileScan = z
  .object({
    path: z.string(),
    commit: z.string(),
    status: ScanStatus,
    scanner: z.string().openapi({ example: 'arsenal-scan/3' }),
    checked: z
      .boolean()
      .openapi({ description: 'Whether the file is of a kind that is looked into; others are safe.' }),
    job: z
      .enum(['queued', 'running'])
      .optional()
      .openapi({ description: 'Of a pending file: the job that looks at this repo.' }),
    imports: z
      .array(
        z.object({
          module: z.string(),
          name: z.string(),
          safety: z.enum(importSafeties),
          found: z
            .enum(importSafeties)
            .optional()
            .openapi({ description: 'What the scanner says, where an admin has decided otherwise.' }),
          meaning: z
            .string()
            .openapi({ description: 'What it can do when the file is loaded, in a sentence.' }),
        }),
      )
      .openapi({ description: 'What the file imports when it is loaded: each once, the worst first.' }),
    problems: z.array(
      z.object({ code: z.string(), message: z.string(), severity: z.enum(['error', 'warning', 'info']) }),
    ),
  })
  .openapi('FileScan')

export const RepoScan = z
  .object({
    commit: z.string(),
    status: ScanStatus.openapi({ description: 'That of the worst file.' }),
    done: z.boolean().openapi({ description: 'Whether every file has been looked at.' }),
    unsafe: z.int(),
    suspicious: z.int(),
    failed: z.int(),
    pending: z.int().openapi({ description: 'At least so many files have no result yet.' }),
    files: z
      .array(z.object({ path: z.string(), status: Issue }))
      .openapi({ description: 'Those that are not safe, the worst first; at most 1000.' }),
  })
  .openapi('RepoScan')

export const UnsafeFile = z
  .object({
    repo: RepoRef,
    branch: z.string().openapi({ description: 'The default branch, at whose head the file is.' }),
    path: z.string(),
    status: Issue,
    found_at: Time,
  })
  .openapi('UnsafeFile')

/** Of a module and a name within it, as pickles have them. */
const ImportName = Text.min(1).max(200)

export const ImportRule = z
  .object({
    module: z.string(),
    name: z.string(),
    safety: z.enum(ruledSafeties),
    note: z.string().optional(),
    set_by: z.string().optional(),
    set_at: Time,
  })
  .openapi('ImportRule')

export const ImportRuleList = z.object({ items: z.array(ImportRule) }).openapi('ImportRuleList')

export const ImportRuleSet = z
  .strictObject({
    safety: z.enum(ruledSafeties).openapi({ description: 'What can run code cannot be made `innocuous`.' }),
    note: Text.max(1000).optional().openapi({ description: 'Why, for other admins.' }),
  })
  .openapi('ImportRuleSet')

export const OfImport = z.object({
  module: ImportName.openapi({ param: { name: 'module', in: 'path' }, example: 'sklearn.svm._classes' }),
  name: ImportName.openapi({ param: { name: 'name', in: 'path' }, example: 'SVC' }),
})

export const UnsafeFileList = listOf(UnsafeFile, 'UnsafeFileList')
export const UnsafeStatus = Issue
