/** The part of a router that says whether a page is being loaded. */
interface Watched {
  state: { navigation: { state: string } }
}

let watched: Watched | undefined

/** Has `isNavigating` answer for this router. */
export function watchNavigation<R extends Watched>(router: R): R {
  watched = router
  return router
}

/**
 * Whether the next page is being loaded at this moment. `useNavigation` says so only once React has rendered it, which on a
 * busy machine comes after timers that were due.
 */
export const isNavigating = (): boolean => watched !== undefined && watched.state.navigation.state !== 'idle'
