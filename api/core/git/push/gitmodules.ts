import type { NameFault } from '../names.ts'

/** Those of the largest projects have some 50 KB. Bytes. */
export const MAX_GITMODULES_BYTES = 256 * 1024

/**
 * Why `git fsck --strict` would object to a `.gitmodules` (fsck.c, fsck_gitmodules_fn; submodule-config.c), or
 * `undefined`. What git cannot parse is refused as well: a later git may make anything of it.
 */
export function gitmodulesFault(content: Buffer): NameFault | undefined {
  if (content.length > MAX_GITMODULES_BYTES)
    return fault('git-file-too-large', `a file of this name must be at most ${MAX_GITMODULES_BYTES} bytes`)
  // On most processors git takes the byte 0xff for the end of the file, and a NUL for the end of a value.
  if (content.includes(0) || content.includes(0xff)) return unreadable
  for (const setting of settingsOf(content.toString('latin1'))) {
    if (setting === 'unreadable') return unreadable
    const found = settingFault(setting)
    if (found) return found
  }
  return undefined
}

const fault = (code: string, message: string): NameFault => ({ code, message })

const unreadable = fault('gitmodules-unreadable', 'must be a configuration file that git can read')

interface Setting {
  /** Section with its subsection and without the key, as git joins them: `submodule.name`. */
  section: string
  key: string
  /** Absent where the line is the key alone. */
  value?: string
}

function settingFault({ section, key, value }: Setting): NameFault | undefined {
  if (!section.startsWith('submodule.')) return undefined
  const name = section.slice('submodule.'.length)
  if (name === '' || name.split(/[/\\]/).includes('..'))
    return fault('gitmodules-name', 'names of submodules must not be empty or contain ".." as a part')
  if (value === undefined) return undefined
  if (key === 'url' && !isSoundUrl(value))
    return fault('gitmodules-url', `submodule "${name}" has a url that git refuses`)
  if (key === 'path' && value.startsWith('-'))
    return fault('gitmodules-path', 'the path of a submodule must not start with "-"')
  if (key === 'update' && value.startsWith('!'))
    return fault('gitmodules-update', 'the update of a submodule must not be a command')
  return undefined
}

/** As submodule-config.c, check_submodule_url; controls are refused in every kind of address. */
function isSoundUrl(url: string): boolean {
  if (url.startsWith('-')) return false
  if (/[\n\r\0]/.test(decode(url))) return false
  if (/^\.\.?[/\\]/.test(url)) {
    const beyond = url.replace(/^(?:\.\.?[/\\])+/, '')
    return !(url.slice(0, url.length - beyond.length).includes('..') && /^[:/]/.test(beyond))
  }
  const address =
    /^(?:https?|ftps?)::(.*)$/s.exec(url)?.[1] ?? (/^(?:https?|ftps?):\/\//.test(url) ? url : '')
  return address === '' ? !/^(?:https?|ftps?)::/.test(url) : hostOf(address) !== ''
}

/** The host of `scheme://[user[:password]@]host…` as credential.c cuts it; empty when there is none. */
function hostOf(address: string): string {
  const schemeEnd = address.indexOf('://')
  if (schemeEnd <= 0) return ''
  const authority = /^[^/?#]*/.exec(address.slice(schemeEnd + 3))?.[0] ?? ''
  return authority.slice(authority.indexOf('@') + 1)
}

const decode = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

// git-config(1), "Syntax"; config.c, git_parse_source. A section: [name] or [name "subsection"].
const BLANKS = /(?:[ \t\r\n]|[#;][^\n]*)*/y
const SECTION = /\[([A-Za-z0-9.-]*)(?:\]|[ \t\r]+"((?:[^"\\\n]|\\[^\n])*)"\])/y
const KEY = /([A-Za-z][A-Za-z0-9-]*)[ \t]*(\n|=)/y

function* settingsOf(bytes: string): Generator<Setting | 'unreadable'> {
  const text = `${bytes.replaceAll('\r\n', '\n')}\n`
  let section = ''
  for (let at = 0; ;) {
    at += matchAt(BLANKS, text, at)?.[0].length ?? 0
    if (at >= text.length) return
    const head = matchAt(SECTION, text, at)
    if (head) {
      const [whole, name = '', sub] = head
      section = name.toLowerCase() + (sub === undefined ? '' : `.${sub.replace(/\\(.)/gs, '$1')}`)
      at += whole.length
      continue
    }
    const line = matchAt(KEY, text, at)
    const value = line?.[2] === '=' ? valueAt(text, at + line[0].length) : undefined
    if (!line || value === 'unreadable') return yield 'unreadable'
    yield { section, key: (line[1] ?? '').toLowerCase(), ...(value ? { value: value.text } : {}) }
    at = value ? value.end : at + line[0].length
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

const escapes: Record<string, string> = { t: '\t', b: '\b', n: '\n', '\\': '\\', '"': '"', '\n': '' }

/** The value from `at` to the end of its line, which a backslash may put off. As config.c, parse_value. */
function valueAt(text: string, at: number): { text: string; end: number } | 'unreadable' {
  let value = ''
  let isQuoted = false
  let blanks = 0
  for (let i = at; ; i++) {
    const c = text[i] ?? '\n'
    if (c === '\n') return isQuoted ? 'unreadable' : { text: value, end: i + 1 }
    if (!isQuoted && /[ \t\r]/.test(c)) {
      if (value !== '') blanks++
      continue
    }
    if (!isQuoted && (c === '#' || c === ';')) return { text: value, end: text.indexOf('\n', i) + 1 }
    value += ' '.repeat(blanks)
    blanks = 0
    if (c === '"') isQuoted = !isQuoted
    else if (c !== '\\') value += c
    else {
      const escaped = escapes[text[++i] ?? '\n']
      if (escaped === undefined) return 'unreadable'
      value += escaped
    }
  }
}
