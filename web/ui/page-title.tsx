import { useSiteName } from '../lib/look.ts'

/** The title of the document: what the page shows, and the server. */
export function PageTitle({ children }: { children: string }) {
  const site = useSiteName()
  return <title>{`${children} · ${site}`}</title>
}
