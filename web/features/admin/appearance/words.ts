import { limits } from '../../../../shared/vocabulary.ts'
import type { Look } from '../../../lib/look.ts'
import type { LookUpdate } from './queries.ts'

/** What the form holds: texts, empty where nothing is set. */
export type Words = {
  name: string
  welcome: string
  announcement: string
  kind: 'info' | 'warning'
  /** In the time zone of the browser, as its field writes it. */
  ends_at: string
}

const minute = 60_000

function localTime(time: string): string {
  const at = new Date(time)
  return new Date(at.getTime() - at.getTimezoneOffset() * minute).toISOString().slice(0, 16)
}

export const wordsOf = ({ name = '', welcome = '', announcement }: Look): Words => ({
  name,
  welcome,
  announcement: announcement?.text ?? '',
  kind: announcement?.kind ?? 'info',
  ends_at: announcement?.ends_at ? localTime(announcement.ends_at) : '',
})

const isBlank = (text: string) => text.trim() === ''

export const updateOf = ({ name, welcome, announcement: text, kind, ends_at }: Words): LookUpdate => ({
  ...(!isBlank(name) && { name }),
  ...(!isBlank(welcome) && { welcome }),
  ...(!isBlank(text) && {
    announcement: { text, kind, ...(ends_at !== '' && { ends_at: new Date(ends_at).toISOString() }) },
  }),
})

/** What is wrong with a welcome; its limit counts bytes, which no field of a browser does. */
export const welcomeFault = (text: string): string | null =>
  new TextEncoder().encode(text).length > limits.welcomeBytes
    ? 'The welcome may have at most 4 KiB. Make it shorter.'
    : null
