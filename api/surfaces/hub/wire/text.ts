const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as HTML that shows it as it was written: nothing renders Markdown here. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? '').replaceAll('\n', '<br>')
}

/** As `escaped`, with `code` between backticks, the one markup that commit messages commonly have. */
export function withCode(text: string): string {
  return escaped(text).replaceAll(/`([^`<]{1,500})`/g, '<code>$1</code>')
}
