import { MAX_TOUCHED_FOLDERS, type EditFault } from '../../../core/git/index.ts'

/** Why an edit cannot be made. */
export const reasons: Record<EditFault['code'], string> = {
  // Hub clients look for this sentence, and add a hint of their own (hub-wire.md §7.2).
  'no-such-file': "A file with this name doesn't exist",
  'no-such-folder': "A file with this name doesn't exist",
  'is-a-folder': 'a folder with this name is in the way',
  'file-in-the-way': 'a file is in the way',
  'folder-too-large': 'the folder would have too many entries',
  'too-many-folders': `one commit may touch at most ${MAX_TOUCHED_FOLDERS} folders; split it into several`,
}
