import { useDeferredValue, type ReactNode } from 'react'

/** Draws its children once the press that brought them has shown its first effect, as a part of the page that may wait. */
export function Afterwards({ children }: { children: ReactNode }) {
  return useDeferredValue(true, false) && children
}
