import classes from './ui.module.css'

/** The picture of a person or an organisation, as the server draws it. A plain element, since lists carry hundreds. */
export function AvatarPicture({ ns, size = 32 }: { ns: string; size?: number }) {
  return (
    <img
      className={classes['avatar']}
      src={`/avatars/${encodeURIComponent(ns)}.svg`}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
    />
  )
}
