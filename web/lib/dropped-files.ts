let dropped: File[] = []

/** Keeps files that were dropped on one page for the page that uploads them. */
export function keepDropped(files: File[]): void {
  dropped = files
}

/** The kept files, once. */
export function takeDropped(): File[] {
  const files = dropped
  dropped = []
  return files
}
