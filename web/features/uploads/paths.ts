interface DroppedFile extends File {
  /** Set by the drop zone: `./folder/file` or `/folder/file`. */
  readonly path?: string
  readonly relativePath?: string
}

/** Where a chosen or dropped file goes, below `folder`; folders that were dropped keep their own structure. */
export function targetPath(file: DroppedFile, folder: string): string {
  const own = file.webkitRelativePath || file.relativePath || file.path || file.name
  const relative = own.replace(/^(\.?\/)+/, '')
  return folder ? `${folder}/${relative}` : relative
}

/** Files that operating systems leave in folders and that are never meant to be published. */
export function isLitter(path: string): boolean {
  return path
    .split('/')
    .some((segment) => segment === '.git' || segment === '.DS_Store' || segment === 'Thumbs.db')
}

/** Files as they are dropped or chosen, each with its path in the repo. */
export const chosenFrom = (files: File[], folder: string): { path: string; file: File }[] =>
  files.map((file) => ({ path: targetPath(file, folder), file })).filter(({ path }) => !isLitter(path))
