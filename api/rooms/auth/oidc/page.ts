import { refusals, type Refused } from './refused.ts'

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as HTML: whatever a provider says stays text. */
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? '')

const style = `:root{color-scheme:light dark}
body{background:Canvas;color:CanvasText;
font:14px/1.5 'Inter Variable',system-ui,sans-serif;max-width:520px;margin:64px auto;padding:0 16px}
h1{font-size:24px;line-height:1.3}dt{opacity:.75}dd{margin:0 0 8px;font-family:monospace;overflow-wrap:anywhere}
a{color:LinkText}footer{margin-top:32px;opacity:.75;font-size:12px;overflow-wrap:anywhere}`

/** The page that says why a sign-in was refused and what to do, for people. */
export function refusalPage(
  refused: Refused,
  { provider, requestId }: { provider: string; requestId: string },
): string {
  const [, title, fix] = refusals[refused.reason]
  const facts = refused.claimant
    ? [
        ['Provider', provider],
        ['Username there', refused.claimant.username],
        ['Subject', refused.claimant.subject],
      ]
    : []
  const list = facts.map(([name = '', value = '']) => `<dt>${name}</dt><dd>${escaped(value)}</dd>`).join('')
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Arsenal</title><style>${style}</style></head>
<body><main><h1>${escaped(title)}</h1><p>${escaped(fix)}</p>${list && `<dl>${list}</dl>`}
<p><a href="/login">Go to the sign-in page</a></p></main>
<footer>Request id: ${escaped(requestId)}</footer></body></html>
`
}
