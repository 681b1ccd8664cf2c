// Runs before the first paint, so that what this browser has chosen never flashes. The number in the file name changes with
// its content: files below /assets are cached for ever.
{
  const kept = (key) => {
    try {
      return localStorage.getItem(key)
    } catch (error) {
      console.warn(`The choice "${key}" cannot be read`, error)
      return null
    }
  }
  const scheme = kept('arsenal-scheme') ?? 'auto'
  const isDark =
    scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  const { dataset } = document.documentElement
  dataset.mantineColorScheme = isDark ? 'dark' : 'light'
  // Paper is white: a dark page is printed as a light one.
  let onScreen = dataset.mantineColorScheme
  matchMedia('print').addEventListener('change', ({ matches }) => {
    if (matches) onScreen = dataset.mantineColorScheme
    dataset.mantineColorScheme = matches ? 'light' : onScreen
  })
  // The server draws a list of models as it looks at first (`base.css`).
  if ((kept('list-view') ?? '"list"') !== '"list"') dataset.ownListView = ''
  if (kept('arsenal-fonts') !== null) dataset.fonts = ''
  // It draws the announcement too, which this browser may have dismissed.
  const look = document.getElementById('look')
  const announcement = look && JSON.parse(look.textContent).announcement
  const text = kept('announcement-read')
  if (announcement && announcement.text === text) dataset.announcementRead = text
}
