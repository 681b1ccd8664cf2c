interface TrustedTypesFactory {
  createPolicy(
    name: string,
    rules: { createHTML(text: string): string; createScriptURL(url: string): string },
  ): unknown
}

/**
 * The page is served with `require-trusted-types-for 'script'`. The default policy lets two things through:
 * text without `<`, which cannot make an element (the style sheets that Mantine writes), and workers of our own build.
 */
export function installTrustedTypes(): void {
  const factory = (globalThis as { trustedTypes?: TrustedTypesFactory }).trustedTypes
  factory?.createPolicy('default', {
    createHTML(text) {
      if (text.includes('<')) throw new TypeError('Markup is never parsed from text here')
      return text
    },
    createScriptURL(url) {
      if (new URL(url, location.href).origin !== location.origin)
        throw new TypeError(`Not our script: ${url}`)
      return url
    },
  })
}
