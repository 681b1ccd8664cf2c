// Code points HFS+ ignores when it compares names (git: utf8.c, next_hfs_char).
const HFS_IGNORABLE = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

/** A file whose contents git's own check judges, whatever folder it lies in. */
export type JudgedFile = '.gitmodules' | '.gitattributes'

// Short names that NTFS makes of them once `gitmod~1` to `gitmod~4` are taken (path.c, is_ntfs_dot_generic).
const shortNames: Record<JudgedFile, string> = { '.gitmodules': 'gi7eba', '.gitattributes': 'gi7d29' }

/** A name as Windows (case, trailing dots and spaces, streams) or macOS (ignorable code points) would read it. */
function disguised(name: string): string {
  const plain = name.replace(HFS_IGNORABLE, '').split(':')[0] ?? ''
  // Not by an expression, which would take the square of a run of dots.
  let end = plain.length
  while (plain[end - 1] === '.' || plain[end - 1] === ' ') end--
  return plain.slice(0, end).replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** Whether some system would take the name for `.git`. */
export function looksLikeDotGit(name: string): boolean {
  const seen = disguised(name)
  return seen === '.git' || seen === 'git~1'
}

/** Which judged file some system would take the name for; `undefined` for all others. */
export function judgedFile(name: string): JudgedFile | undefined {
  const seen = disguised(name)
  if (seen === '.gitmodules' || isShortNameOf('.gitmodules', seen)) return '.gitmodules'
  if (seen === '.gitattributes' || isShortNameOf('.gitattributes', seen)) return '.gitattributes'
  return undefined
}

function isShortNameOf(file: JudgedFile, name: string): boolean {
  if (name.length !== 8) return false
  if (name.startsWith(file.slice(1, 7)) && /~[1-4]$/.test(name)) return true
  const beginning = /^([^~]*)~[1-9][0-9]*$/.exec(name)?.[1]
  return beginning !== undefined && shortNames[file].startsWith(beginning)
}
