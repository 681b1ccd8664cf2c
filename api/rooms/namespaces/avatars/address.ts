import { avatarTypes, type AvatarType } from '../../../../shared/vocabulary.ts'

const id = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/** What stands behind `/avatars/` in the address of an uploaded picture, as routes take it. */
export const picturePattern = `${id}\\.(?:${avatarTypes.join('|')})`

/**
 * Path of a namespace's avatar on this server, whatever it shows at the time. Pages load it from the host they were opened
 * under, whatever `server.public_url` says: `img-src 'self'` allows no other.
 */
export const avatarPath = (ns: string): string => `/avatars/${encodeURIComponent(ns)}.svg`

/** Path of one uploaded picture, whose bytes never change. */
export const picturePath = (picture: { id: string; type: AvatarType }): string =>
  `/avatars/${picture.id}.${picture.type}`
