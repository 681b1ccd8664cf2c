import { Compartment } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'

/** Where the keys of Vim go in an editor: before all others, which would take them. */
export function vimSlot() {
  const slot = new Compartment()
  let isWanted = false
  return {
    extension: slot.of([]),
    /** Loads the keys when they are first turned on; the mode stands in a line below the text. */
    turn: async (view: EditorView, isOn: boolean) => {
      if (!isOn && !isWanted) return
      isWanted = isOn
      const keys = isOn ? (await import('@replit/codemirror-vim')).vim({ status: true }) : []
      // They may have been turned off while they were loaded.
      if (isOn === isWanted) view.dispatch({ effects: slot.reconfigure(keys) })
    },
  }
}
