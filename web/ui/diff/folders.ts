interface Placed {
  path: string
}

/** Files by the folder they are in, in the order of paths; those at the root come first. */
export function foldersOf<T extends Placed>(files: T[]): { folder: string; files: T[] }[] {
  const folders = new Map<string, T[]>()
  for (const file of files) {
    const folder = file.path.split('/').slice(0, -1).join('/')
    const inside = folders.get(folder)
    if (inside) inside.push(file)
    else folders.set(folder, [file])
  }
  return [...folders]
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([folder, inside]) => ({ folder, files: inside }))
}
