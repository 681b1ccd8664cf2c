import { useLook } from '../lib/look.ts'

/** The server's logo. */
export function Logo({ size }: { size: number }) {
  const { logo_url = '/assets/icon-1.svg' } = useLook()
  return <img src={logo_url} alt="" width={size} height={size} style={{ objectFit: 'contain' }} />
}
