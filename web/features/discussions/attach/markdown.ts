/** A place in a text. */
interface Range {
  start: number
  end: number
}

/** What an image is called until its author says what it shows. */
export function altOf(fileName: string): string {
  const bare = fileName.replace(/\.[^.]*$/, '').replaceAll(/[[\]\\\r\n]/g, ' ')
  return bare.trim() || 'image'
}

/**
 * Puts an image into a text in place of `at`, on a line of its own. `alt` is where its description stands then, to be
 * written over.
 */
export function withImage(
  text: string,
  at: Range,
  image: { alt: string; url: string },
): { text: string; alt: Range } {
  const before = text.slice(0, at.start)
  const after = text.slice(at.end)
  const head = before === '' || before.endsWith('\n') ? '![' : '\n!['
  const tail = `](${image.url})${after.startsWith('\n') ? '' : '\n'}`
  const start = before.length + head.length
  return {
    text: before + head + image.alt + tail + after,
    alt: { start, end: start + image.alt.length },
  }
}
