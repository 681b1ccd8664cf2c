// Runs before the first paint, so that a chosen theme never flashes. The number in the file name changes
// with its content: files below /assets are cached for ever.
{
  let chosen = 'auto'
  try {
    chosen = localStorage.getItem('arsenal-scheme') ?? 'auto'
  } catch (error) {
    console.warn('The theme choice cannot be read', error)
  }
  const isDark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light'
}
