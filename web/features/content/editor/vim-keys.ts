import { keptSwitch } from '../../../lib/kept-switch.ts'

/** Whether texts are edited by the keys of Vim. */
export const vimKeys = keptSwitch('arsenal-vim-keys', false)
