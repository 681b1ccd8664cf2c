import type { Page } from './fixtures.ts'

/** What people reach, and what tells them where they are: a screen reader reads each by its name. */
const named = new Set(
  `button link textbox searchbox combobox checkbox radio switch tab menuitem slider spinbutton listbox option dialog
  grid region navigation complementary progressbar meter`.split(/\s+/),
)

interface Told {
  ignored: boolean
  role?: { value?: unknown }
  name?: { value?: unknown }
  backendDOMNodeId?: number
}

/** What the browser's accessibility tree, which screen readers read, has without a name; one line each. */
export async function unnamedOf(page: Page): Promise<string[]> {
  const devtools = await page.context().newCDPSession(page)
  try {
    const { nodes } = (await devtools.send('Accessibility.getFullAXTree')) as { nodes: Told[] }
    const unnamed = nodes.filter(
      ({ ignored, role, name }) =>
        !ignored && named.has(String(role?.value)) && !String(name?.value ?? '').trim(),
    )
    const lines = unnamed.map(async ({ role, backendDOMNodeId: backendNodeId }) => {
      const html = backendNodeId && (await devtools.send('DOM.getOuterHTML', { backendNodeId })).outerHTML
      return `a ${String(role?.value)} has no name: ${String(html).slice(0, 200)}`
    })
    return await Promise.all(lines)
  } finally {
    await devtools.detach()
  }
}
