const key = 'files-beside'

/** Whether the person wants the files of the revision beside a file, in this browser. */
export function savedSide(): boolean {
  try {
    return localStorage.getItem(key) === 'shown'
  } catch {
    return false
  }
}

export function saveSide(isShown: boolean): void {
  try {
    if (isShown) localStorage.setItem(key, 'shown')
    else localStorage.removeItem(key)
  } catch {
    // It holds until the page is left.
  }
}
