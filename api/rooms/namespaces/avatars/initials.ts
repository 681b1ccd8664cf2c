import { createHash } from 'node:crypto'

/** The first letters of the first and the last word, or of the only one: `Ada Lovelace` → `AL`. */
function initials(text: string): string {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? []
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words
  return chosen.map((word) => [...(word ?? '')][0]?.toUpperCase() ?? '').join('')
}

/** A picture of a namespace's initials, in a colour that its name has in every spelling of the case. */
export function initialsPicture(name: string, displayName: string): string {
  const digest = createHash('sha256').update(name.toLowerCase()).digest()
  const hue = Math.round((digest.readUInt16BE(0) / 0xffff) * 360)
  const text = initials(displayName) || initials(name)
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">',
    `<path fill="hsl(${hue} 45% 90%)" d="M0 0h64v64H0z"/>`,
    `<text x="32" y="33" fill="hsl(${hue} 60% 28%)" font-family="system-ui, sans-serif" font-size="26" font-weight="600" text-anchor="middle" dominant-baseline="central">${text}</text>`,
    '</svg>',
  ].join('')
}
