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

/** The origin of the bucket's addresses (Amazon S3 User Guide, "Virtual hosting of general purpose buckets"). */
export function bucketOrigin({
  endpoint,
  region,
  bucket,
  use_path_style,
}: {
  endpoint: string
  region: string
  bucket: string
  use_path_style: boolean
}): string {
  const vendors = `https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
  const { protocol, host, hostname } = new URL(endpointUrl(endpoint) ?? vendors)
  const isAddress = /^[\d.]+$|^\[/.test(hostname)
  // A certificate of the server covers no name with a dot before its own.
  const isInPath = use_path_style || isAddress || bucket.includes('.')
  return `${protocol}//${isInPath ? '' : `${bucket}.`}${host}`
}
