const hidden = '[redacted]'

/** Members whose text is never logged, whatever object holds them. */
const secretMembers =
  /("(?:[\w-]*(?:authorization|cookie|password|secret|token)|instance_key|access_key|csrf)"\s*:\s*)"(?:[^"\\]|\\.)*"/gi

const patterns: [RegExp, string][] = [
  [secretMembers, `$1"${hidden}"`],
  // Bound values, which drizzle appends to the text of a failed query.
  [/\\nparams: (?:[^"\\]|\\.)*(?=")/g, ''],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, `$1 ${hidden}`],
  [/(service_session=)[^;,"\s\\]+/g, `$1${hidden}`],
  // Our own signature, and those of presigned object store URLs.
  // What admins pass on to people stands in an address.
  [/(\/links\/)[\w-]{16,}/g, `$1${hidden}`],
  [
    /([?&](?:sig|code|token|ticket|invite|state|X-Amz-(?:Signature|Credential|Security-Token))=)[^&#"\s\\]+/gi,
    `$1${hidden}`,
  ],
  [/\bhf_[\w.-]{8,}/g, `hf_${hidden}`],
  [/(\b[a-z][a-z0-9+]*:\/\/[^\s:/@"]*:)[^\s@"]+@/gi, `$1${hidden}@`],
]

/** Makes the function that hides secrets in a log line: the given values, and whatever looks like a credential. */
export function redactor(secrets: string[]): (line: string) => string {
  const values = secrets
    .filter((value) => value.length >= 4)
    .flatMap((value) => [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)])
  const longestFirst = [...new Set(values)].sort((a, b) => b.length - a.length)
  return (line) => {
    let clean = line
    for (const value of longestFirst) clean = clean.replaceAll(value, hidden)
    for (const [pattern, replacement] of patterns) clean = clean.replace(pattern, replacement)
    return clean
  }
}
