import { useEffect, useState, type RefObject } from 'react'

const listeners = new WeakMap<Element, (isNear: boolean) => void>()
let observer: IntersectionObserver | undefined

/** One observer for all: a long text has hundreds of blocks. */
function observe(element: Element, listener: (isNear: boolean) => void): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) listeners.get(target)?.(isIntersecting)
    },
    { rootMargin: '300px 0px' },
  )
  listeners.set(element, listener)
  observer.observe(element)
  return () => {
    observer?.unobserve(element)
    listeners.delete(element)
  }
}

/** Whether an element is in sight or about to be. */
export function useNear(element: RefObject<Element | null>, initial: boolean): boolean {
  const [isNear, setIsNear] = useState(initial)
  useEffect(() => (element.current ? observe(element.current, setIsNear) : undefined), [element])
  return isNear
}

/**
 * Whether an element has been in sight, or about to be, since it is watched. Elements that wait for nothing are not
 * watched: for each that is, browsers look in every frame where it is.
 */
export function useSeen(element: RefObject<Element | null>, initial: boolean, isWatched: boolean): boolean {
  const [wasSeen, setWasSeen] = useState(initial)
  const isWaiting = isWatched && !wasSeen
  useEffect(
    () =>
      isWaiting && element.current
        ? observe(element.current, (isNear) => isNear && setWasSeen(true))
        : undefined,
    [element, isWaiting],
  )
  return wasSeen
}
