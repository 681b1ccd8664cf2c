/** `https://` unless the endpoint says otherwise; `undefined` for the vendor's own. */
export function endpointUrl(endpoint: string): string | undefined {
  if (endpoint === '') return undefined
  return /^https?:\/\//i.test(endpoint) ? endpoint : `https://${endpoint}`
}

/**
 * Whether clients take the bucket's addresses for the service's own. Their bearer would follow a redirect there, which S3
 * refuses beside a signature (reliability.md §5).
 */
export function sharesOrigin(
  { endpoint, use_path_style }: { endpoint: string; use_path_style: boolean },
  publicUrl: string,
): boolean {
  const url = endpointUrl(endpoint)
  return url !== undefined && use_path_style && new URL(url).origin === new URL(publicUrl).origin
}
