import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { meQuery } from '../lib/session.ts'
import type { createRouter } from './router.tsx'

type Router = ReturnType<typeof createRouter>

/** Takes away the page as the server drew it, which nothing in it answers to. */
export const removeFirstView = () => document.getElementById('first-view')?.remove()

/**
 * Resolves once the page can be drawn as the server drew it, so that nothing changes when it is taken over: its files are
 * there, and the cache has its answers; answers whether it can. At once where the server drew nothing.
 */
export async function takeOver(cache: QueryClient, router: Router): Promise<boolean> {
  const written = document.getElementById('first-answers')?.textContent
  if (!written) return false
  const { person, known } = JSON.parse(written) as { person: string | null; known: [QueryKey, unknown][] }
  const me = await cache.fetchQuery(meQuery).catch(() => undefined)
  // Another tab may have signed in or out meanwhile: what was read for one is not shown to another.
  if ((me?.id ?? null) !== person) return false
  for (const [key, answer] of known) cache.setQueryData(key, answer)
  await loaded(router)
  return true
}

/** Once the files of the page that the address names are there. */
const loaded = (router: Router) =>
  new Promise<void>((done) => {
    if (router.state.initialized) return done()
    const stop = router.subscribe(({ initialized }) => {
      if (!initialized) return
      stop()
      done()
    })
  })
