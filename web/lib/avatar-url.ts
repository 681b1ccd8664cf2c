import { createStore } from './store.ts'

/** When each avatar was changed on this page: a browser shows what an address gave it before, unless the address differs. */
let changes: Readonly<Record<string, string>> = {}
const changed = createStore(changes)

const addressOf = (ns: string) => `/avatars/${encodeURIComponent(ns)}.svg`

/** Where the avatar of a user or an organisation is. */
export function useAvatarUrl(ns: string): string {
  const at = changed.use()[ns]
  return at === undefined ? addressOf(ns) : `${addressOf(ns)}?change=${at}`
}

/** Shows it as it is now, also on pages that are opened later. */
export async function showAvatarChange(ns: string): Promise<void> {
  await fetch(addressOf(ns), { cache: 'reload' }).catch(() => undefined)
  changes = { ...changes, [ns]: Date.now().toString(36) }
  changed.set(changes)
}
