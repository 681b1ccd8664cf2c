import { createHash } from 'node:crypto'

/**
 * Path of a namespace's picture on this server. Pages load it from the host they were opened under, whatever
 * `server.public_url` says: `img-src 'self'` allows no other.
 */
export function avatarPath(ns: string): string {
  return `/avatars/${encodeURIComponent(ns)}.svg`
}

/** A picture made of the name alone: a symmetric 5×5 pattern in one colour, the same for every spelling of the case. */
export function identicon(name: string): string {
  const digest = createHash('sha256').update(name.toLowerCase()).digest()
  const hue = Math.round((digest.readUInt16BE(0) / 0xffff) * 360)
  const cells: string[] = []
  for (let column = 0; column < 3; column++)
    for (let row = 0; row < 5; row++) {
      if ((digest.readUInt8(2 + column * 5 + row) & 1) === 0) continue
      for (const x of new Set([column, 4 - column])) cells.push(`M${x + 1} ${row + 1}h1v1h-1z`)
    }
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 7 7" shape-rendering="crispEdges">',
    `<path fill="hsl(${hue} 45% 92%)" d="M0 0h7v7H0z"/>`,
    `<path fill="hsl(${hue} 55% 45%)" d="${cells.join('')}"/>`,
    '</svg>',
  ].join('')
}
