import { IconCheck } from '@tabler/icons-react'
import { memo } from 'react'
import type { ChangedFile } from '../../lib/types.ts'
import classes from './diff.module.css'
import { changeId } from './file-change.tsx'
import { foldersOf } from './folders.ts'

const marks: Record<ChangedFile['status'], [sign: string, word: string]> = {
  added: ['A', 'added'],
  modified: ['M', 'modified'],
  deleted: ['D', 'deleted'],
  renamed: ['R', 'renamed'],
  copied: ['C', 'copied'],
}

interface FileTreeProps {
  files: ChangedFile[]
  /** The paths of those that were viewed. */
  viewed: ReadonlySet<string> | undefined
}

/** The changed files by folder; each leads to its diff. To collapse one diff of hundreds draws none of them again. */
export const FileTree = memo(function FileTree({ files, viewed }: FileTreeProps) {
  return (
    <nav className={classes['tree']} aria-label="Changed files">
      {foldersOf(files).map(({ folder, files: inside }) => (
        <div key={folder}>
          {folder && <div className={classes['folder']}>{folder}/</div>}
          <ul>
            {inside.map((file) => {
              const [sign, word] = marks[file.status]
              return (
                <li key={file.path}>
                  <a href={`#${changeId(file.path)}`} title={file.path}>
                    <span data-status={file.status} aria-label={word}>
                      {sign}
                    </span>
                    {file.path.slice(folder ? folder.length + 1 : 0)}
                    {viewed?.has(file.path) && (
                      <IconCheck size={13} role="img" aria-label="viewed" className={classes['seen']} />
                    )}
                  </a>
                </li>
              )
            })}
          </ul>
        </div>
      ))}
    </nav>
  )
})
