import { time, type z } from '../../core/http/contract.ts'
import { avatarPath } from './avatars/address.ts'
import type { Profile } from './get-namespace.ts'
import type { Member } from './queries.ts'
import type { Readme } from './readme/readme.ts'
import type * as routes from './routes.ts'

/** A namespace on the wire. */
export function viewNamespace({
  row,
  hasAvatar,
  counts,
  follows: { followed, ...people },
  role,
  storage,
}: Profile): z.input<typeof routes.Namespace> {
  return {
    ns: row.name,
    kind: row.kind,
    display_name: row.display_name,
    ...(row.bio && { bio: row.bio }),
    avatar_url: avatarPath(row.name),
    has_avatar: hasAvatar,
    ...(row.mirror_of !== null && { mirror_of: row.mirror_of }),
    ...(row.website && { website: row.website }),
    created_at: time(row.created_at),
    default_visibility: row.default_visibility ?? 'public',
    counts: { ...counts, ...people },
    followed,
    ...(role && { my_role: role }),
    ...(storage && {
      storage: {
        used_bytes: storage.usedBytes,
        pending_bytes: storage.pendingBytes,
        ...(storage.quotaBytes === null ? {} : { quota_bytes: storage.quotaBytes }),
      },
    }),
  }
}

/** A README on the wire. */
export function viewReadme({ text, updatedAt }: Readme): z.input<typeof routes.Readme> {
  return { text, ...(updatedAt && { updated_at: time(updatedAt) }) }
}

/** A member on the wire. */
export function viewMember(member: Member): z.input<typeof routes.Member> {
  return {
    username: member.username,
    display_name: member.display_name,
    avatar_url: avatarPath(member.username),
    role: member.role,
    joined_at: time(member.joined_at),
    source: member.source,
  }
}
