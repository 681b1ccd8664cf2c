/** A switch that this browser keeps. `usual` is how it stands until somebody turns it. */
export function keptSwitch(key: string, usual: boolean) {
  return {
    isOn: (): boolean => {
      try {
        return localStorage.getItem(key) === null ? usual : !usual
      } catch {
        return usual
      }
    },
    turn: (isOn: boolean): void => {
      try {
        if (isOn === usual) localStorage.removeItem(key)
        else localStorage.setItem(key, isOn ? 'on' : 'off')
      } catch {
        // Such a browser keeps no choice at all: it holds until the page is left.
      }
    },
  }
}
