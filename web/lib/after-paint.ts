/**
 * Does what a press asks for once the browser has painted the frame that follows it. For changes that draw much, such as
 * another part of a large table: the press itself is answered at once. Until then, what it returns cancels it.
 */
export function afterPaint(act: () => void): () => void {
  let isWanted = true
  requestAnimationFrame(() => setTimeout(() => isWanted && act()))
  return () => {
    isWanted = false
  }
}
