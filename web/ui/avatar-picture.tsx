import { useAvatarUrl } from '../lib/avatar-url.ts'
import classes from './ui.module.css'

/** The avatar of a person or an organisation, uploaded or drawn by the server. A plain element, since lists carry hundreds. */
export function AvatarPicture({ ns, size = 32 }: { ns: string; size?: number }) {
  return (
    <img
      className={classes['avatar']}
      src={useAvatarUrl(ns)}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
    />
  )
}
