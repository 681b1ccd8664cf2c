/** Puts a text into the clipboard; false where the browser refuses. Pages on plain http have the older way alone. */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (window.isSecureContext) {
      await navigator.clipboard.writeText(text)
      return true
    }
  } catch {
    // Refused, such as by a policy: the older way may work.
  }
  const before = document.activeElement
  const area = document.createElement('textarea')
  area.value = text
  area.style.position = 'fixed'
  area.style.opacity = '0'
  // A dialog keeps the focus inside itself, so the text is selected there.
  const inside = before?.closest('[role="dialog"]') ?? document.body
  inside.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  if (before instanceof HTMLElement) before.focus()
  return isCopied
}
