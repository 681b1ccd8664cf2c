/**
 * Does what a key stands for on this page: presses the element that has it as `data-key`. Where that asks for Enter first
 * (`data-asks`) or is a form, the focus moves there, to its field or, in a preview, to what leads back to it. `u` goes up to
 * where the tab of the repo leads.
 */
export function press(key: string): void {
  const wanted = key === 'u' ? 'nav[aria-label=Repo] [aria-current]' : `[data-key~="${key}"]`
  const found = [...document.querySelectorAll<HTMLElement>(`#main :is(${wanted})`)]
  const target = found.find((element) => element.checkVisibility())
  if (target?.matches('[data-asks]')) target.focus()
  else if (target?.matches('section'))
    (target.querySelector('textarea') ?? target.querySelector('button'))?.focus()
  else target?.click()
}
